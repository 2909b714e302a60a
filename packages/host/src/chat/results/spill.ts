import type { ChatLimits } from '../limits.ts'
import type { Conversation } from '../transcript/conversation.ts'
import { characterStart, firstBytes } from './text-slice.ts'
import { markText, type Origin } from './tool-result.ts'

/** The first part of a large result is enough to see whether the rest is worth reading. */
const previewBytes = 4 * 1024

const note = (id: string, shown: number, all: number): string =>
  `\n[This is the beginning of a long result: characters 0 to ${shown} of ${all}. read_result with the id "${id}" and an offset reads more.]`

/** Text for the model: the whole, or its beginning if it is too large. Then the whole is kept to be read in parts. */
export async function keepOrSpill(
  text: string,
  origin: Origin,
  conversation: Conversation,
  limits: ChatLimits,
): Promise<{ text: string; spilled?: string }> {
  if (Buffer.byteLength(text) <= limits.maxResultBytes) return { text: markText(text, origin) }
  const id = conversation.newSpillId()
  const room = Math.max(0, limits.maxSpilledBytes - conversation.spilledBytes)
  const kept = firstBytes(text, Math.min(limits.maxSpillBytes, room))
  await conversation.record({ type: 'spill', id, server: origin.server, tool: origin.tool, text: kept })
  const preview = firstBytes(text, Math.min(previewBytes, limits.maxResultBytes))
  const lost = kept.length < text.length ? ` Characters after ${kept.length} were not kept.` : ''
  return { text: markText(preview, origin) + note(id, preview.length, text.length) + lost, spilled: id }
}

/** A part of a kept result. */
export function readSpill(
  conversation: Conversation,
  { id, offset = 0, limit }: { id: string; offset?: number; limit?: number },
  limits: ChatLimits,
): string {
  const spill = conversation.spills.get(id)
  if (!spill) throw new Error(`There is no result with the id ${JSON.stringify(id)}`)
  const { text } = spill
  if (offset > text.length)
    throw new Error(`The result has ${text.length} characters; the offset ${offset} is behind its end`)
  const start = characterStart(text, offset)
  const wanted = text.slice(
    start,
    characterStart(text, Math.min(text.length, start + Math.max(2, limit ?? text.length))),
  )
  const part = firstBytes(wanted, limits.maxResultBytes)
  const end = start + part.length
  const rest = end < text.length ? `The next part begins at offset ${end}.` : 'This is the end.'
  return `${markText(part, spill)}\n[Characters ${start} to ${end} of ${text.length}. ${rest}]`
}
