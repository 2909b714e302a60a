import { open, readFile } from 'node:fs/promises'
import { ChatError } from '../chat-error.ts'
import { assertEntry, assertHeader, type Transcript, type TranscriptEntry, transcriptHeader } from './transcript.ts'

export interface TranscriptFileOptions {
  /** Values that are never written: each occurrence becomes `[secret]`. */
  secrets?: Iterable<string>
}

/** A transcript in a file of JSON lines. Disposing closes the file. */
export interface TranscriptFile extends Transcript, AsyncDisposable {
  readonly path: string
  close(): Promise<void>
}

const parseLine = (line: string, source: string): unknown => {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new ChatError('transcript_invalid', `${source} is not JSON`, { cause })
  }
}

/** The entries of a file, and its length without a last line that a crash cut short. Counted in bytes, as the disk does. */
function readLines(bytes: Buffer, path: string): { entries: TranscriptEntry[]; length: number } {
  const length = bytes.lastIndexOf('\n') + 1
  const lines = bytes.toString('utf8', 0, length).split('\n').slice(0, -1)
  const [header, ...rest] = lines.map((line, index) => parseLine(line, `${path}:${index + 1}`))
  if (header !== undefined) assertHeader(header, path)
  else if (!JSON.stringify(transcriptHeader).startsWith(bytes.toString())) assertHeader(undefined, path)
  const entries = rest.map((value, index) => assertEntry(value, `${path}:${index + 2}`))
  return { entries, length }
}

/** Replaces secrets in every text, the longest first, so that none leaves a part of another behind. */
function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), value)
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  const cleaned = Object.entries(value).map(([name, item]) => [name, withoutSecrets(item, secrets)])
  return Object.fromEntries(cleaned)
}

/**
 * Opens the transcript of a conversation, or begins one. Each entry is in the file before its event is reported, so a
 * conversation whose process was killed can go on from there.
 */
export async function openTranscript(path: string, options: TranscriptFileOptions = {}): Promise<TranscriptFile> {
  const secrets = [...(options.secrets ?? [])].filter(Boolean).sort((one, other) => other.length - one.length)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
  const { entries, length } = readLines(bytes, path)
  // Conversations are private: only their owner may read them.
  const file = await open(path, 'a', 0o600)
  let end = length
  const write = async (value: unknown): Promise<void> => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`)
    try {
      await file.appendFile(line)
      end += line.length
    } catch (error) {
      // A full disk takes half a line, and the next entry would stand behind it.
      await file.truncate(end).catch(() => {})
      throw error
    }
  }
  try {
    await file.truncate(length)
    if (length === 0) await write(transcriptHeader)
  } catch (error) {
    await file.close()
    throw error
  }

  let last: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= last.catch(() => {}).then(() => file.close()))
  return {
    path,
    entries,
    async append(entry) {
      const cleaned = secrets.length === 0 ? entry : (withoutSecrets(entry, secrets) as TranscriptEntry)
      // One line at a time: a large one may take several writes.
      last = last.catch(() => {}).then(() => write(cleaned))
      await last
      entries.push(entry)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
