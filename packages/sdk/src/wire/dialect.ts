import type { JsonObject } from '../jsonrpc/message.ts'
import type { ShapeChange } from './change.ts'
import { compose } from './change.ts'
import type { Codec } from './codec.ts'

/** The parts of messages that differ between revisions. `encode.ts` knows where each of them occurs. */
export type Shape =
  | 'implementation'
  | 'clientCapabilities'
  | 'serverCapabilities'
  | 'tool'
  | 'resource'
  | 'resourceTemplate'
  | 'prompt'
  | 'root'
  | 'content'
  | 'resourceContents'
  | 'toolResult'
  | 'samplingMessage'
  | 'samplingParams'
  | 'samplingResult'
  | 'elicitParams'
  | 'elicitResult'
  | 'completeParams'
  | 'progress'
  | 'inputResponses'
  | 'serverResult'

export type Shapes = { readonly [name in Shape]?: ShapeChange }

/** The part of a codec that encodes and decodes messages. */
export type Coding = Pick<Codec, 'encodeParams' | 'encodeResult' | 'decodeParams' | 'decodeResult'>

/** Converts a result that was already read to the model. */
export type Upgrade = (result: JsonObject, params: JsonObject | undefined) => JsonObject

type Facts = Omit<Codec, keyof Coding>

/** A revision, described. */
export interface Dialect extends Facts {
  /** The changes to the model in this revision and every older one. */
  readonly shapes: Shapes
  /** The changes in this revision only. */
  readonly ownShapes?: Shapes
  /** The conversion of results to the model in this revision and every older one, by method. */
  readonly upgrades: { readonly [method: string]: Upgrade }
  /** The envelope that only this revision has. */
  readonly envelope?: (inner: Coding, facts: Facts) => Coding
}

/** A revision, described by how it differs from the next newer one. */
export type Difference = (newer: Dialect) => Dialect

/** A revision that differs from its successor: its own changes come after those of the newer one. */
export function before(newer: Dialect, difference: Partial<Dialect> & Pick<Dialect, 'revision'>): Dialect {
  const { ownShapes: _, envelope: __, ...inherited } = newer
  return {
    ...inherited,
    ...difference,
    shapes: composeShapes(newer.shapes, difference.shapes ?? {}),
    upgrades: composeUpgrades(difference.upgrades ?? {}, newer.upgrades),
  }
}

export function composeShapes(first: Shapes, second: Shapes): Shapes {
  const names = new Set([...Object.keys(first), ...Object.keys(second)] as Shape[])
  return Object.fromEntries([...names].map((name) => [name, compose(first[name], second[name])]))
}

function composeUpgrades(first: Dialect['upgrades'], second: Dialect['upgrades']): Dialect['upgrades'] {
  const both = Object.keys(first).filter((method) => second[method])
  const composed = both.map((method): [string, Upgrade] => [
    method,
    (result, params) => second[method]!(first[method]!(result, params), params),
  ])
  return { ...first, ...second, ...Object.fromEntries(composed) }
}

/** The methods of one side without some of them. */
export const without = (methods: ReadonlySet<string>, ...gone: string[]): ReadonlySet<string> =>
  new Set([...methods].filter((method) => !gone.includes(method)))
