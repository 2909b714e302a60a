import { z } from 'zod'
import type { Database } from '../database.ts'
import { show, shownValue } from '../value.ts'
import { type CollectionScan, scanCollection } from './scan-collection.ts'

type Names = z.ZodOptional<z.ZodEnum<{ text: 'text'; base64: 'base64' }>>

/** A field of a hash with its value. */
export const hashEntry: z.ZodObject<typeof shownValue.shape & { field: z.ZodString; fieldEncoding: Names }> =
  shownValue.extend({
    field: z.string(),
    fieldEncoding: z.enum(['text', 'base64']).optional().describe('base64 if the name is not text'),
  })

export type HashEntry = z.infer<typeof hashEntry>

export function shownEntry(field: Buffer, value: Buffer, maxBytes: number, offset = 0): HashEntry {
  const name = show(field, maxBytes)
  const part = show(value.subarray(offset), maxBytes)
  return {
    field: name.value,
    ...(name.encoding === 'base64' && { fieldEncoding: name.encoding }),
    ...part,
    ...(part.cutFrom !== undefined && { cutFrom: value.length }),
  }
}

export interface HashPage {
  readonly length: number
  readonly fields: HashEntry[]
  readonly nextCursor?: string
}

/** One page of a hash. */
export async function readHash(database: Database, key: Buffer, scan: CollectionScan): Promise<HashPage> {
  const { items, ...page } = await scanCollection(database, 'HSCAN', key, scan)
  const fields = items.map(([field, value]) => shownEntry(field!, value!, database.settings.maxValue))
  return { ...page, fields }
}
