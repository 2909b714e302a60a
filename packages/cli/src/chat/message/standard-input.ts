import { fstatSync } from 'node:fs'
import { usage } from '../../exit.ts'

const maxBytes = 1024 * 1024
const patienceMs = 3_000

/** The text at standard input, to its end. */
export async function readInput(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  if (!isForText(stdin) && !(await begins(stdin, signal))) return ''
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    signal.throwIfAborted()
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (size > maxBytes) throw usage(`Standard input: expected at most ${maxBytes} bytes`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Whether a shell has put something there: a pipe or a file, which have an end. */
function isForText(stdin: NodeJS.ReadStream): boolean {
  const { fd } = stdin as { fd?: number }
  if (fd === undefined) return false
  try {
    const found = fstatSync(fd)
    return found.isFIFO() || found.isFile()
  } catch {
    return false
  }
}

/**
 * Whether something arrives at a socket. Programs that start this one often leave theirs open and never write to it:
 * waiting for its end would be for ever.
 */
async function begins(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<boolean> {
  if (stdin.readableEnded || stdin.destroyed) return false
  return await new Promise((resolve) => {
    const finish = (found: boolean): void => {
      clearTimeout(timer)
      stdin.off('readable', arrived).off('end', ended)
      signal.removeEventListener('abort', ended)
      resolve(found)
    }
    const arrived = (): void => finish(stdin.readableLength > 0)
    const ended = (): void => finish(false)
    const timer = setTimeout(ended, patienceMs)
    stdin.on('readable', arrived).on('end', ended)
    signal.addEventListener('abort', ended)
  })
}
