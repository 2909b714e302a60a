/**
 * Runs command lines: in this process if only the output counts, and as real processes to test signals, terminals or
 * the program itself.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { HttpServer } from '@tenon/sdk/node'
import { afterAll, onTestFinished } from 'vitest'
import { run } from '../src/run.ts'

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
  /** Of the terminal. */
  columns?: number
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

/** A command line that runs in this process. */
export interface Running {
  readonly stdin: PassThrough
  stdout(): string
  stderr(): string
  /** Both, in the order in which they were written. */
  printed(): string
  /** The same as Ctrl-C. */
  interrupt(): void
  /** The exit code. */
  readonly ended: Promise<number>
}

/** Begins a command line in this process; it is interrupted at the end of the test if it still runs. */
export function begin(args: readonly string[], { env = {}, cwd = temporaryFolder() }: RunOptions = {}): Running {
  const stdin = new PassThrough()
  const printed: Buffer[] = []
  const [stdout, stderr] = [new Kept(printed), new Kept(printed)]
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort(new DOMException('Cancelled', 'AbortError'))
  const streams = { stdin, stdout, stderr } as unknown as Pick<Parameters<typeof run>[1], 'stdin' | 'stdout' | 'stderr'>
  const ended = run(args, { ...streams, env: { ...cleanEnv(cwd), ...env }, cwd }, interrupted.signal)
  onTestFinished(async () => {
    interrupt()
    await ended
  })
  const text = (chunks: readonly Buffer[]) => (): string => Buffer.concat(chunks).toString()
  return { stdin, stdout: text(stdout.chunks), stderr: text(stderr.chunks), printed: text(printed), interrupt, ended }
}

/** Runs a command line to its end, in this process. */
export async function tenon(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { stdin, stdout, stderr, ended } = begin(args, options)
  stdin.end(options.stdin ?? '')
  const code = await ended
  return { stdout: stdout(), stderr: stderr(), code }
}

let http: HttpServer | undefined
afterAll(() => http?.close())

/** The address of the server with every feature, in this process. */
export async function everythingUrl(): Promise<string> {
  const { serveHttp } = await import('@tenon/sdk/node')
  const { createEverythingServer } = await import('@tenon/server-everything')
  http ??= await serveHttp(createEverythingServer(), { port: 0 })
  return http.url
}

/** Runs a command line with that server as its target. */
export async function onEverything([command, ...words]: readonly string[], options?: RunOptions): Promise<Outcome> {
  return await tenon([command!, await everythingUrl(), ...words], options)
}

/** Collects the output, also into a shared list. */
class Kept extends Writable {
  readonly chunks: Buffer[] = []
  readonly #all: Buffer[]

  constructor(all: Buffer[]) {
    super()
    this.#all = all
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk)
    this.#all.push(chunk)
    done()
  }
}

/** Starts the command as a process; for tests that signal it or speak to it as a host does. It is killed at the end of the test. */
export function start(args: readonly string[], { env = {}, cwd = temporaryFolder() }: RunOptions = {}): ChildProcess {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { ...cleanEnv(cwd), ...env } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** Runs the command to its end, as a process. */
export async function tenonProcess(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
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

/** The output of `--json`. */
export const parsed = ({ stdout }: Outcome): { [member: string]: unknown } => JSON.parse(stdout)

type Talk = (terminal: { type(text: string): void; shown(): string }) => Promise<void> | void

/** Runs the command on a terminal of its own; answers the terminal's output. */
export const onTerminal = (
  args: readonly string[],
  options?: RunOptions,
  talk?: Talk,
): Promise<{ shown: string; code: number | null }> => programOnTerminal([process.execPath, bin, ...args], options, talk)

/** Runs a program on a terminal of its own (`script` makes one). */
export async function programOnTerminal(
  words: readonly string[],
  { env = {}, cwd = temporaryFolder(), columns = 100 }: RunOptions = {},
  talk: Talk = () => {},
): Promise<{ shown: string; code: number | null }> {
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn('script', ['-qfec', `stty cols ${columns} rows 40; exec ${line}`, '/dev/null'], {
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
