import type { Revision } from '../model/revision.ts'
import type { Codec } from './codec.ts'
import { createDecoder } from './decode.ts'
import type { Dialect, Difference } from './dialect.ts'
import { composeShapes } from './dialect.ts'
import { createEncoder } from './encode.ts'
import { rev20241105 } from './revisions/2024-11-05.ts'
import { rev20250326 } from './revisions/2025-03-26.ts'
import { rev20250618 } from './revisions/2025-06-18.ts'
import { rev20251125 } from './revisions/2025-11-25.ts'
import { rev20260728 } from './revisions/2026-07-28.ts'

/** From the second newest on: each is a difference to the one before it. */
const older: readonly Difference[] = [rev20251125, rev20250618, rev20250326, rev20241105]

/** Newest first, each created on demand: most peers speak one of the first two. */
function* dialects(): Generator<Dialect> {
  let dialect = rev20260728
  yield dialect
  for (const differ of older) {
    dialect = differ(dialect)
    yield dialect
  }
}

function dialectOf(revision: Revision): Dialect {
  for (const dialect of dialects()) if (dialect.revision === revision) return dialect
  throw new TypeError(`No such revision: ${revision}`)
}

const lastWithHandshake: Revision = '2025-11-25'
const made = new Map<Revision, Codec>()

function createCodec({ shapes, ownShapes, upgrades, envelope, ...facts }: Dialect): Codec {
  const said = composeShapes(shapes, ownShapes ?? {})
  const coding = { ...createEncoder(said), ...createDecoder(said, upgrades) }
  return { ...facts, ...(envelope?.(coding, facts) ?? coding) }
}

/** The codec of a revision, created on first use. */
export function codecFor(revision: Revision): Codec {
  const known = made.get(revision)
  if (known !== undefined) return known
  const codec = createCodec(dialectOf(revision))
  made.set(revision, codec)
  return codec
}

/** True if the revision opens with `initialize`. Revisions are dates, so older ones compare as less. */
export const hasHandshake = (revision: Revision): boolean => revision <= lastWithHandshake

/** True if any revision has this request. */
export const isKnownRequest = (method: string): boolean =>
  [...dialects()].some(({ requests }) => requests.client.has(method) || requests.server.has(method))

/** The first of the revisions, given newest first, that opens with `initialize`. */
export const newestWithHandshake = (newestFirst: readonly Revision[]): Revision | undefined =>
  newestFirst.find(hasHandshake)
