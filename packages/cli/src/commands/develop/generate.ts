import { basename } from 'node:path'
import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { cliProgram, type ProgramTarget, programMarker } from '../../generate/cli-program.ts'
import { generatedOptions, refuseCheckWithoutFile, updateGenerated } from '../../generate/generated-file.ts'
import { openTarget } from '../../server/connect.ts'
import { connectionOptions } from '../../server/options.ts'
import { type ResolvedTarget, resolveTarget } from '../../server/target.ts'
import { say } from '../../terminal/text.ts'
import { readFeatures } from '../../types/server-features.ts'

export default command({
  name: 'generate',
  summary: 'Write a program with one command for each tool of a server',
  usage: ['cli <target> [--output file]', 'cli [--output file] -- <program> [argument…]'],
  details:
    'The program is one file for Node that needs @tenon/sdk only: its options are the arguments of the tools, with help for each. It holds the address or the program of the server, and neither headers nor variables: those are given when it is run. The output depends only on the features of the server, so it can be kept in version control and checked.',
  examples: [
    { line: 'tenon generate cli everything -o everything.mjs', shows: 'then: node everything.mjs add --a 19 --b 23' },
    { line: 'tenon generate cli everything -o everything.mjs --force', shows: 'replace a file, whoever wrote it' },
  ],
  options: {
    ...generatedOptions,
    ...connectionOptions,
  },
  async run(call) {
    const { output } = call.options
    const { terminal } = call
    const [what, ...words] = call.words
    if (what !== 'cli') throw usage(`Expected "cli", got ${JSON.stringify(what ?? '')}`, 'See tenon generate --help.')
    refuseCheckWithoutFile(call)
    const resolved = await resolveTarget(call, words)
    if (resolved.words.length > 0)
      throw usage(`Expected nothing after the target, got ${JSON.stringify(resolved.words[0])}`)
    const { client } = await openTarget(call, resolved)
    const { server, tools } = await readFeatures(client, resolved.label).finally(() => client.close())
    const name = output === undefined ? 'program' : basename(output).replace(/\.[cm]?js$/, '')
    const source = await cliProgram({ name, server, target: targetOf(resolved), tools })
    if (output === undefined) return await call.result({ source }, () => terminal.content(source))
    const { done, ...file } = await updateGenerated(call, { source, marker: programMarker, isProgram: true })
    await call.result({ ...file, commands: tools.length }, () =>
      terminal.note(say`${output} ${done}: ${tools.length} commands`),
    )
  },
})

/** The way to the server, without its secrets: headers and variables are given to the program when it is run. */
function targetOf({ target }: ResolvedTarget): ProgramTarget {
  if (typeof target === 'string') return target
  const { command: program, args = [], cwd } = target
  return { command: program, args: [...args], ...(cwd !== undefined && { cwd: String(cwd) }), inheritEnv: true }
}
