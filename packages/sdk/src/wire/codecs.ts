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

const dialects: readonly Dialect[] = [rev20241105, rev20250326, rev20250618, rev20251125, rev20260728]

function createCodec({ shapes, ownShapes, upgrades, envelope, ...facts }: Dialect): Codec {
  const said = composeShapes(shapes, ownShapes ?? {})
  const coding = { ...createEncoder(said), ...createDecoder(said, upgrades) }
  return { ...facts, ...(envelope?.(coding, facts) ?? coding) }
}

/** How each revision is spoken, oldest first. */
export const codecs: ReadonlyMap<Revision, Codec> = new Map(
  dialects.map((dialect) => [dialect.revision, createCodec(dialect)]),
)

/** How a revision is spoken. */
export const codecFor = (revision: Revision): Codec => codecs.get(revision)!

/** True if the revision opens with `initialize`. */
export const isLegacy = (revision: Revision): boolean => codecFor(revision).handshake

/** The first of the revisions, given newest first, that opens with `initialize`. */
export const newestLegacy = (newestFirst: readonly Revision[]): Revision | undefined => newestFirst.find(isLegacy)
