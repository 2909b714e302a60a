import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { ToolError } from '@tenon/sdk/server'

export interface GitCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment: { readonly [name: string]: string }
  readonly input?: string
  readonly signal?: AbortSignal
  readonly timeoutMs: number
  /** Gets output as it comes. `stop` ends git early, which is no error. */
  onOutput(chunk: Buffer, stop: () => void): void
  /** Gets lines of standard error as they come. */
  onMessage?(line: string): void
}

export interface GitExit {
  readonly code: number
  readonly stderr: string
  readonly stopped: boolean
}

const maxStderrBytes = 16_384
/** Time for git to remove its lock files before it is killed. */
const graceMs = 2_000

/** Runs git with an argument list, never a shell. Ends it and its children when the caller cancels or time is up. */
export async function runGit(command: GitCommand): Promise<GitExit> {
  command.signal?.throwIfAborted()
  const child = start(command)
  let reason: 'stopped' | 'cancelled' | 'timeout' | undefined
  let lastResort: NodeJS.Timeout | undefined
  const end = (why: typeof reason): void => {
    if (reason !== undefined) return
    reason = why
    kill(child, 'SIGTERM')
    lastResort = setTimeout(() => kill(child, 'SIGKILL'), graceMs)
  }
  const cancel = (): void => end('cancelled')
  const timer = setTimeout(() => end('timeout'), command.timeoutMs)
  command.signal?.addEventListener('abort', cancel, { once: true })
  try {
    const { code, stderr } = await finished(child, command, () => end('stopped'))
    command.signal?.throwIfAborted()
    if (reason === 'timeout') throw new ToolError(`git took longer than ${command.timeoutMs / 1000} s and was ended.`)
    return { code, stderr, stopped: reason === 'stopped' }
  } finally {
    clearTimeout(timer)
    clearTimeout(lastResort)
    command.signal?.removeEventListener('abort', cancel)
  }
}

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>

function start({ program, args, folder, environment, input }: GitCommand): GitProcess {
  const child = spawn(program, ['--no-pager', ...args], {
    cwd: folder,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that its children end with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  // Git may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  return child
}

function kill(child: GitProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid!, signal)
  } catch {
    // It has ended already.
  }
}

function finished(child: GitProcess, command: GitCommand, stop: () => void): Promise<{ code: number; stderr: string }> {
  let stderr = ''
  let stopped = false
  child.stdout.on('data', (chunk: Buffer) => {
    if (stopped) return
    command.onOutput(chunk, () => {
      stopped = true
      stop()
    })
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (stderr.length < maxStderrBytes) stderr += chunk.slice(0, maxStderrBytes)
    for (const line of chunk.split(/[\r\n]+/)) if (line !== '') command.onMessage?.(line)
  })
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new ToolError(`git could not be started: ${error.message}`)))
    child.on('close', (code) => resolve({ code: code ?? -1, stderr: stderr.trim() }))
  })
}
