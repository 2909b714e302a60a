import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { referenceServers } from '@tenon/host/reference-servers'
import { command } from '../../command.ts'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { didYouMean } from '../../line/did-you-mean.ts'
import { packageFolder } from '../../package-folder.ts'
import { findPackageProgram } from '../../run-server/find-program.ts'
import { table } from '../../terminal/table.ts'
import { version } from '../../version.ts'

export default command({
  name: 'run',
  summary: 'Run a reference server: files, web, Git, memory, SQL, …',
  usage: ['', '<server> [argument…]'],
  details:
    'Speaks MCP on stdin and stdout, for a host to start; --http listens instead. Everything after the name belongs to the server: tenon run filesystem --help shows its options. A server that is not installed is fetched with npx. Without a name the servers are listed.',
  examples: [
    { line: 'tenon run', shows: 'the servers' },
    { line: 'tenon run filesystem ~/notes --read-only', shows: 'files in one folder, to read' },
    { line: 'tenon run everything --http 3000', shows: 'over HTTP' },
  ],
  options: {},
  wordEndsOptions: true,
  async run(call) {
    const [name] = call.words
    if (name === undefined) {
      return call.result({ servers: referenceServers.map(({ name, summary }) => ({ name, summary })) }, () =>
        call.terminal.print(
          table(
            referenceServers.map((server) => [server.name, server.summary]),
            call.terminal.columns,
          ),
        ),
      )
    }
    const { env, cwd } = call.terminal.surroundings
    const [program, ...args] = startOf(name, cwd)
    call.exitCode = await passOn(program!, [...args, ...(call.command ?? [])], { env, cwd, signal: call.signal })
  },
})

/** The words that start a server: its program, if it is installed here or beside this command, or `npx`. */
function startOf(name: string, cwd: string): string[] {
  const server = referenceServers.find((candidate) => candidate.name === name)
  if (server === undefined) {
    const names = referenceServers.map((candidate) => candidate.name)
    const hint = didYouMean(name, names) ?? `There are ${names.join(', ')}.`
    throw usage(`There is no reference server named ${JSON.stringify(name)}`, hint)
  }
  const here = fileURLToPath(packageFolder)
  const program = findPackageProgram(server.package, cwd) ?? findPackageProgram(server.package, here)
  return program === undefined ? ['npx', '--yes', `${server.package}@${version}`] : [process.execPath, program]
}

interface Place {
  env: NodeJS.ProcessEnv
  cwd: string
  signal: AbortSignal
}

/** Runs a program in place of this one: with its streams, and with its exit code at the end. */
async function passOn(program: string, args: string[], { env, cwd, signal }: Place): Promise<ExitCode> {
  // On Windows npx is a script, which only a shell starts.
  const shell = process.platform === 'win32' && program === 'npx'
  const child = spawn(program, args, { env, cwd, shell, stdio: 'inherit' })
  const end = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', end, { once: true })
  const ended = await new Promise<number | null | Error>((done) => {
    child.once('error', done)
    child.once('exit', done)
  })
  signal.removeEventListener('abort', end)
  if (ended instanceof Error) {
    throw new CommandFailure(ExitCode.Unreachable, 'cannot_start', `Cannot start ${program}: ${ended.message}`)
  }
  // The codes of a server are those of this command: 0, and 2 for a mistake in its command line.
  return (ended ?? ExitCode.Ok) as ExitCode
}
