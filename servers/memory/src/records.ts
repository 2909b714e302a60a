import type { Entity, Origins, Relation } from './graph.ts'

/** A line of the memory file: one record in JSON, as the original server writes it, with more members. */
export type MemoryRecord =
  | { readonly kind: 'entity'; readonly entity: Entity }
  | { readonly kind: 'relation'; readonly relation: Relation }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }
  /** A record of a type that this server does not know. */
  | { readonly kind: 'other'; readonly line: string }
  | { readonly kind: 'unreadable'; readonly line: string; readonly problem: string }

/** The state of the file: it contains all changes up to a number, and was saved at a time. */
export interface Checkpoint {
  readonly seq: number
  readonly saved: string
}

export function parseRecord(line: string): MemoryRecord {
  let value: { [name: string]: unknown }
  try {
    value = JSON.parse(line)
  } catch {
    return { kind: 'unreadable', line, problem: 'expected JSON' }
  }
  if (typeof value !== 'object' || value === null) return { kind: 'unreadable', line, problem: 'expected an object' }
  if (value.type === 'entity') return parseEntity(value, line)
  if (value.type === 'relation') return parseRelation(value, line)
  if (value.type === 'checkpoint' && Number.isSafeInteger(value.seq)) {
    return { kind: 'checkpoint', checkpoint: { seq: value.seq as number, saved: String(value.saved) } }
  }
  if (value.type === 'unreadable' && typeof value.line === 'string') {
    return { kind: 'unreadable', line: value.line, problem: String(value.problem) }
  }
  return { kind: 'other', line }
}

function parseEntity(value: { [name: string]: unknown }, line: string): MemoryRecord {
  const { name, entityType, observations, origins } = value
  const problem = isText(name, 'name') ?? isText(entityType, 'entityType')
  if (problem !== undefined) return { kind: 'unreadable', line, problem }
  if (!Array.isArray(observations) || !observations.every((text) => typeof text === 'string')) {
    return { kind: 'unreadable', line, problem: 'expected observations to be a list of texts' }
  }
  const entity = { name: name as string, entityType: entityType as string, observations }
  const isKnown = Array.isArray(origins) ? origins.every(isOrigin) : origins !== null && isOrigin(origins)
  return { kind: 'entity', entity: isKnown ? { ...entity, origins: origins as Origins } : entity }
}

/** A file that somebody edited, or sent to be imported, may have anything in this place. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== 'object') return false
  const { at, by, source } = (value ?? { at: '' }) as { [name: string]: unknown }
  const isOptional = (text: unknown): boolean => text === undefined || typeof text === 'string'
  return typeof at === 'string' && isOptional(by) && isOptional(source)
}

function parseRelation(value: { [name: string]: unknown }, line: string): MemoryRecord {
  const { from, to, relationType } = value
  const problem = isText(from, 'from') ?? isText(to, 'to') ?? isText(relationType, 'relationType')
  if (problem !== undefined) return { kind: 'unreadable', line, problem }
  return { kind: 'relation', relation: { from, to, relationType } as Relation }
}

const isText = (value: unknown, name: string): string | undefined =>
  typeof value === 'string' ? undefined : `expected ${name} to be a text`

export const entityLine = (entity: Entity): string => `${JSON.stringify({ type: 'entity', ...entity })}\n`

export const relationLine = (relation: Relation): string => `${JSON.stringify({ type: 'relation', ...relation })}\n`

export const checkpointLine = (checkpoint: Checkpoint): string =>
  `${JSON.stringify({ type: 'checkpoint', ...checkpoint })}\n`

/** Kept as a record of its own, so that the original server, which gives up at a line that is not JSON, reads the file. */
export const unreadableLine = (line: string, problem: string): string =>
  `${JSON.stringify({ type: 'unreadable', problem, line })}\n`
