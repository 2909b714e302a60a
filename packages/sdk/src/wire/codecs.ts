import type { Revision } from '../model/revision.ts'
import { rev20241105 } from './2024-11-05.ts'
import { rev20250326 } from './2025-03-26.ts'
import { rev20250618 } from './2025-06-18.ts'
import { rev20251125 } from './2025-11-25.ts'
import { rev20260728 } from './2026-07-28.ts'
import type { Codec } from './codec.ts'
import { createDecoder } from './decode.ts'
import type { Dialect } from './dialect.ts'
import { composeShapes } from './dialect.ts'
import { createEncoder } from './encode.ts'

/** Oldest first. */
const dialects: ReadonlyMap<Revision, Dialect> = new Map(
  [rev20241105, rev20250326, rev20250618, rev20251125, rev20260728].map((dialect) => [dialect.revision, dialect]),
)
const made = new Map<Revision, Codec>()

function createCodec({ shapes, ownShapes, upgrades, envelope, ...facts }: Dialect): Codec {
  const said = composeShapes(shapes, ownShapes ?? {})
  const coding = { ...createEncoder(said), ...createDecoder(said, upgrades) }
  return { ...facts, ...(envelope?.(coding, facts) ?? coding) }
}

/** How a revision is spoken; found out when it is first spoken. */
export function codecFor(revision: Revision): Codec {
  const known = made.get(revision)
  if (known !== undefined) return known
  const codec = createCodec(dialects.get(revision)!)
  made.set(revision, codec)
  return codec
}

/** True if the revision opens with `initialize`. */
export const isLegacy = (revision: Revision): boolean => dialects.get(revision)!.handshake

/** True if a request of this name exists in any revision. */
export const isRequest = (method: string): boolean =>
  [...dialects.values()].some(({ requests }) => requests.client.has(method) || requests.server.has(method))

/** The first of the revisions, given newest first, that opens with `initialize`. */
export const newestLegacy = (newestFirst: readonly Revision[]): Revision | undefined => newestFirst.find(isLegacy)
