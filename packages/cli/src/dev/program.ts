import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mark, MarkReader, markVariable } from './marks.ts'

/** How the file of a server is run. */
export interface Program {
  file: string
  args: readonly string[]
  cwd: string
  env: { [name: string]: string | undefined }
  onMark(mark: Mark): void
  /** A line that the server wrote to standard error. */
  onLine(line: string): void
}

/** A process to start, and what to do with its standard error. */
export interface Launch {
  command: string
  args: string[]
  cwd: string
  env: { [name: string]: string | undefined }
  stderr: (text: string) => void
}

/** TypeScript is compiled on the way, whatever the version of Node. */
export function launch({ file, args, cwd, env, onMark, onLine }: Program): Launch {
  const word = `${randomUUID()} `
  const reader = new MarkReader(word, onMark, onLine)
  return {
    command: process.execPath,
    args: ['--import', import.meta.resolve('tsx'), runner, file, ...args],
    cwd,
    env: { ...env, [markVariable]: word },
    stderr: (text) => reader.push(text),
  }
}

const runner = join(dirname(fileURLToPath(import.meta.url)), 'runner.js')
