import type { Database } from '../database.ts'
import { type ShownValue, show } from '../value.ts'
import { type CollectionScan, scanCollection } from './scan-collection.ts'

export interface SetPage {
  readonly length: number
  readonly members: ShownValue[]
  readonly nextCursor?: string
}

/** One page of a set. */
export async function readSet(database: Database, key: Buffer, scan: CollectionScan): Promise<SetPage> {
  const { items, ...page } = await scanCollection(database, 'SSCAN', key, scan)
  return { ...page, members: items.map(([member]) => show(member!, database.settings.maxValue)) }
}
