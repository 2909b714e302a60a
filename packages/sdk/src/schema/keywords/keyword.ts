import type { JsonSchema } from '../../model/tools.ts'
import type { Pattern } from '../regex/pattern.ts'
import { type Location, pointTo, refuseSchema } from '../registry.ts'
import type { SchemaCheck, SchemaNode } from '../run.ts'
import { isObject, own } from '../value.ts'

/** The compiler as the keywords see it. */
export interface Compiler {
  readonly assertFormats: boolean
  /** The node of a schema inside the one at `from`. */
  node(schema: unknown, from: Location, pointer: string): SchemaNode
  nodeAt(location: Location): SchemaNode
  resolve(reference: string, from: Location, keyword: string): { target: Location; dynamicAnchor?: string }
  /** Records that a schema applies another one to the same value, so that endless cycles are found. */
  linkInPlace(from: Location, to: SchemaNode): void
  /** A compiled pattern; throws if it cannot be used. */
  pattern(source: string): Pattern
  /** The nodes of a dynamic anchor in each resource; complete once compiling is done. */
  dynamicTargets(anchor: string): ReadonlyMap<object, SchemaNode>
}

/** Compiles one keyword; `undefined` if there is nothing to check. */
export type Keyword = (value: unknown, site: KeywordSite) => SchemaCheck | undefined

/** A keyword in its schema. */
export class KeywordSite {
  readonly keyword: string
  readonly location: Location
  readonly compiler: Compiler

  constructor(keyword: string, location: Location, compiler: Compiler) {
    this.keyword = keyword
    this.location = location
    this.compiler = compiler
  }

  /** The value of a keyword beside this one. */
  sibling(keyword: string): unknown {
    return own(this.location.schema as JsonSchema, keyword)
  }

  /** The same schema seen from another of its keywords. */
  at(keyword: string): KeywordSite {
    return new KeywordSite(keyword, this.location, this.compiler)
  }

  /** A schema for a part of the value. */
  inner(schema: unknown, name?: string | number): SchemaNode {
    const pointer = pointTo(this.location.pointer, this.keyword)
    return this.compiler.node(schema, this.location, name === undefined ? pointer : pointTo(pointer, name))
  }

  /** A schema for the value itself. */
  inPlace(schema: unknown, name?: string | number): SchemaNode {
    const node = this.inner(schema, name)
    this.compiler.linkInPlace(this.location, node)
    return node
  }

  members(value: unknown): [string, unknown][] {
    return isObject(value)
      ? Object.entries(value).filter(([, member]) => member !== undefined)
      : this.refuse('must be an object')
  }

  list(value: unknown): unknown[] {
    return Array.isArray(value) && value.length > 0 ? value : this.refuse('must be a list with at least one schema')
  }

  strings(value: unknown): string[] {
    return Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? value
      : this.refuse('must be a list of strings')
  }

  /** JSON has numbers beyond a double: `1e400`, as a value or as a bound, is parsed as infinity. */
  number(value: unknown): number {
    return typeof value === 'number' && !Number.isNaN(value) ? value : this.refuse('must be a number')
  }

  count(value: unknown): number {
    const isWhole = Number.isInteger(value) || value === Number.POSITIVE_INFINITY
    return isWhole && (value as number) >= 0 ? (value as number) : this.refuse('must be a non-negative integer')
  }

  pattern(source: string): Pattern {
    try {
      return this.compiler.pattern(source)
    } catch (error) {
      return this.refuse(
        `'${source.slice(0, 100)}' is not a usable regular expression: ${error instanceof Error ? error.message : error}`,
      )
    }
  }

  refuse(reason: string): never {
    return refuseSchema(pointTo(this.location.pointer, this.keyword), reason)
  }
}
