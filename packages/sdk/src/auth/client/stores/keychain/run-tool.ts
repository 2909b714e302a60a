import { McpError } from '../../../../errors.ts'
import { builtin } from '../../../../internal/builtin.ts'

/** A program of the system that keeps secrets. */
export interface SystemTool {
  command: string
  /** Advice for the user if it is missing. */
  install: string
}

interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** The user may be asked to unlock a keychain meanwhile. */
const patienceMs = 120_000
const maxOutput = 65_536

/** Runs a program to its end, never in a shell. Secrets go in by standard input: arguments are visible to all users. */
export function runTool({ command, install }: SystemTool, args: readonly string[], input = ''): Promise<Ran> {
  const processes = builtin('node:child_process')
  if (processes === undefined) throw new McpError('unsupported', 'There is no keychain here')
  return new Promise((resolve, reject) => {
    const child = processes.spawn(command, args, { shell: false, windowsHide: true, timeout: patienceMs })
    const out = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        out[name] = (out[name] + text).slice(0, maxOutput)
      })
    }
    child.once('error', (cause: NodeJS.ErrnoException) => {
      const problem = cause.code === 'ENOENT' ? `is not there: ${install}` : 'could not be started'
      reject(new McpError('unsupported', `The keychain needs ${command}, which ${problem}`, { cause }))
    })
    child.once('close', (code) => resolve({ code: code ?? -1, ...out }))
    // A program that ends without reading is judged by how it ends.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** The error message of a program. None of them repeats its input. */
export function failed({ command }: SystemTool, { code, stderr }: Ran): McpError {
  const said = stderr.trim().replace(/\s+/g, ' ').slice(0, 300)
  return new McpError('unsupported', `The keychain cannot be used: ${command} ended with ${code}${said && `: ${said}`}`)
}
