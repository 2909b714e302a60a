import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../package-folder.ts'
import { prefixVariable, type RunnerMessage, RunnerMessageReader } from './runner-messages.ts'

/** How the file of a server is run. */
export interface Program {
  file: string
  args: readonly string[]
  cwd: string
  env: { [name: string]: string | undefined }
  onMessage(message: RunnerMessage): void
  /** A line that the server wrote to standard error. */
  onLine(line: string): void
}

/** A process to start, and the reader of its standard error. */
interface Launch {
  command: string
  args: string[]
  cwd: string
  env: { [name: string]: string | undefined }
  stderr: (text: string) => void
}

/** The process of a program; TypeScript is compiled while it loads, in every version of Node. */
export function launch({ file, args, cwd, env, onMessage, onLine }: Program): Launch {
  const prefix = `${randomUUID()} `
  const reader = new RunnerMessageReader(prefix, onMessage, onLine)
  return {
    command: process.execPath,
    args: ['--import', import.meta.resolve('tsx'), runner, file, ...args],
    cwd,
    env: { ...env, [prefixVariable]: prefix },
    stderr: (text) => reader.push(text),
  }
}

const runner = fileURLToPath(new URL('dist/dev/process/runner.mjs', packageFolder))
