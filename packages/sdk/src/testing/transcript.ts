import type { Channel, Side } from '../jsonrpc/channel.ts'
import type { Message, Payload } from '../jsonrpc/message.ts'
import { tap } from '../transport/tap.ts'

/** One payload as it went over the wire, and its sender. */
export interface TranscriptEntry {
  from: Side
  payload: Payload
}

/** All messages between two peers, in order. */
export class Transcript {
  readonly entries: TranscriptEntry[] = []

  /** The messages of one side; those of a batch one by one. */
  sentBy(side: Side): Message[] {
    return this.entries.filter((entry) => entry.from === side).flatMap((entry) => entry.payload)
  }

  /** The messages with a method, from either side. */
  calls(method: string): Message[] {
    const all = this.entries.flatMap((entry) => entry.payload)
    return all.filter((message) => 'method' in message && message.method === method)
  }

  /** One line per payload, `>` from the client and `<` from the server: fit for a file and for a diff. */
  toString(): string {
    return this.entries
      .map(({ from, payload }) => `${from === 'client' ? '>' : '<'} ${JSON.stringify(payload)}\n`)
      .join('')
  }
}

/** Reads the output of `toString`; blank lines and lines with `#` are comments. */
export function parseTranscript(text: string): Transcript {
  const transcript = new Transcript()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const from = line.startsWith('> ') ? 'client' : line.startsWith('< ') ? 'server' : undefined
    if (from === undefined)
      throw new SyntaxError(`line ${index + 1}: expected "> ", "< " or "# ", got ${line.slice(0, 20)}`)
    transcript.entries.push({ from, payload: JSON.parse(line.slice(2)) as Payload })
  }
  return transcript
}

/** A channel that records the messages that pass through it. `side` owns this end. */
export function record(channel: Channel, side: Side, transcript: Transcript): Channel {
  return tap(channel, side, ({ from, payload }) => {
    if (payload !== undefined) transcript.entries.push({ from, payload })
  })
}
