import type { Session } from './format.ts'
import { type ReadOptions, readSession } from './read.ts'

/** The destination of a recorder's lines, one or more at a time. */
export interface SessionSink {
  write(lines: string): void | Promise<void>
  close?(): void | Promise<void>
}

/** Reads a session file. */
export async function readSessionFile(path: string, options: ReadOptions = {}): Promise<Session> {
  const { createReadStream } = await import('node:fs')
  return readSession(createReadStream(path) as AsyncIterable<Uint8Array>, options)
}

/** Writes a session file, which only its owner may read. Lines are written as they come. */
export async function fileSink(path: string, options: { append?: boolean } = {}): Promise<SessionSink> {
  const { open } = await import('node:fs/promises')
  const file = await open(path, options.append ? 'a' : 'w', 0o600)
  // It may have been there before, for others to read.
  await file.chmod(0o600)
  return {
    write: (lines) => file.appendFile(lines),
    close: () => file.close(),
  }
}

/** Keeps the text of a session in memory. */
export function memorySink(): SessionSink & { readonly text: string } {
  const lines: string[] = []
  return {
    get text() {
      return lines.join('')
    },
    write: (text) => void lines.push(text),
  }
}
