/** Runs the real command in real processes, as a person or a script would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The command, as it is built. */
export const bin: string = join(root, 'packages/cli/bin/tenon.js')
/** The words that start the server with every feature. */
export const everything: string[] = ['--', process.execPath, join(root, 'servers/everything/bin/everything.js')]

export interface Outcome {
  stdout: string
  stderr: string
  code: number | null
}

export interface RunOptions {
  stdin?: string
  env?: { [name: string]: string | undefined }
  cwd?: string
}

/** An environment in which nothing of this machine's user shows. */
export const cleanEnv = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  NO_COLOR: '1',
})

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the command; for tests that talk to it. It is killed at the end of the test if it is still there. */
export function start(args: readonly string[], { env = {}, cwd = temporaryFolder() }: RunOptions = {}): ChildProcess {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { ...cleanEnv(cwd), ...env } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** Runs the command to its end. */
export async function tenon(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(args, options)
  const outcome: Outcome = { stdout: '', stderr: '', code: null }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    outcome.stdout += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    outcome.stderr += text
  })
  child.stdin!.on('error', () => {})
  child.stdin!.end(options.stdin ?? '')
  const [code] = (await once(child, 'close')) as [number | null]
  return { ...outcome, code }
}

/** What `--json` printed. */
export const parsed = ({ stdout }: Outcome): { [member: string]: unknown } => JSON.parse(stdout)

type Talk = (terminal: { type(text: string): void; shown(): string }) => Promise<void> | void

/** Runs the command on a terminal of its own and answers what the terminal was sent. */
export const onTerminal = (
  args: readonly string[],
  options?: RunOptions,
  talk?: Talk,
): Promise<{ shown: string; code: number | null }> => programOnTerminal([process.execPath, bin, ...args], options, talk)

/** Runs a program on a terminal of its own (`script` makes one). */
export async function programOnTerminal(
  words: readonly string[],
  { env = {}, cwd = temporaryFolder() }: RunOptions = {},
  talk: Talk = () => {},
): Promise<{ shown: string; code: number | null }> {
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn('script', ['-qfec', `stty cols 100 rows 40; exec ${line}`, '/dev/null'], {
    cwd,
    env: { ...cleanEnv(cwd), TERM: 'xterm-256color', NO_COLOR: undefined, ...env },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  child.stdin.on('error', () => {})
  await talk({ type: (text) => void child.stdin.write(text), shown: () => shown })
  const [code] = (await once(child, 'close')) as [number | null]
  return { shown, code }
}
