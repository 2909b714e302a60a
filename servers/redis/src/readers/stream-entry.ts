import { z } from 'zod'
import type { Reply } from '../commands.ts'
import { lineOf, quoteLines, show, shownValue } from '../value.ts'
import { inPairs } from './in-pairs.ts'

export const streamEntry: z.ZodObject<{
  id: z.ZodString
  fields: z.ZodArray<z.ZodObject<{ field: z.ZodString } & typeof shownValue.shape>>
}> = z.object({ id: z.string(), fields: z.array(z.object({ field: z.string(), ...shownValue.shape })) })

export type StreamEntry = z.infer<typeof streamEntry>

/** Reads the entries of an answer. An entry that was deleted while it waited for a consumer has no fields. */
export function readEntries(reply: Reply, maxValue: number): StreamEntry[] {
  const entries = (reply ?? []) as readonly (readonly [Buffer, readonly Buffer[] | null])[]
  return entries.map(([id, fields]) => ({
    id: id.toString(),
    fields: inPairs(fields ?? []).map(([field, value]) => ({
      field: show(field, maxValue).value,
      ...show(value, maxValue),
    })),
  }))
}

export const entryLine = ({ id, fields }: StreamEntry): string =>
  `${id} ${fields.map((one) => `${quoteLines(one.field)}=${lineOf(one)}`).join(' ')}`

export const sizeOfEntry = ({ fields }: StreamEntry): number =>
  fields.reduce((sum, { field, value }) => sum + Buffer.byteLength(field) + Buffer.byteLength(value) + 60, 60)

/** The members of an answer that has names and values in turns. */
export const namedReply = (reply: Reply): Map<string, Reply> =>
  new Map(inPairs(reply as readonly Reply[]).map(([name, value]) => [String(name), value]))
