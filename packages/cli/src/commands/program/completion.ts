import { basename } from 'node:path'
import { command } from '../../command.ts'
import { completionScripts } from '../../complete/scripts.ts'
import { usage } from '../../exit.ts'
import { didYouMean } from '../../line/did-you-mean.ts'

export default command({
  name: 'completion',
  summary: 'Print a script that completes commands with Tab',
  usage: ['[bash|zsh|fish|powershell]'],
  details:
    'The shell is that of $SHELL unless it is named. Commands, options, their values and the names of configured servers are completed, and for addresses also the features of the server. With TENON_COMPLETE=start in the environment, programs are started for that too.',
  examples: [
    { line: "echo 'source <(tenon completion bash)' >> ~/.bashrc", shows: 'bash' },
    { line: 'tenon completion zsh > ~/.zfunc/_tenon', shows: 'zsh, with ~/.zfunc in fpath' },
    { line: 'tenon completion fish > ~/.config/fish/completions/tenon.fish', shows: 'fish' },
    { line: 'tenon completion powershell >> profile.ps1', shows: 'PowerShell: the file that $PROFILE names' },
  ],
  options: {},
  run: async (call) => {
    const [named] = call.words
    const shell = named?.replace(/^pwsh$/, 'powershell') ?? basename(call.terminal.surroundings.env.SHELL ?? '')
    const script = completionScripts.get(shell)
    if (script === undefined) {
      const known = [...completionScripts.keys()]
      throw usage(
        `Expected ${known.join(', ')}, got ${JSON.stringify(shell)}`,
        didYouMean(shell, known) ?? 'For example: tenon completion bash',
      )
    }
    await call.result({ shell, script }, () => call.terminal.content(script))
  },
})
