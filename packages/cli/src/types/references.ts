import { type Code, single, unknownType } from './code.ts'
import { type Names, typeName } from './names.ts'
import { decoded, pointedAt, type Schema } from './schema.ts'
import { unionSize } from './union-size.ts'

/** Every local reference of a schema gets one named type, so that a type may contain itself. */
export class References {
  readonly #root: Schema
  readonly #rootName: string
  readonly #names: Names
  readonly #named = new Map<string, string>()
  /** References that still need a declaration. */
  readonly #waiting: string[] = []
  /** Types that are made of others without anything in between, by name. */
  readonly #madeOf = new Map<string, Set<string>>()

  constructor(root: Schema, rootName: string, names: Names) {
    this.#root = root
    this.#rootName = rootName
    this.#names = names
    this.#named.set('#', rootName)
  }

  /**
   * The type that a reference stands for. `within` is the type that would be made of it, and nothing else, as in
   * `type A = B | string`: such types must not come back to themselves.
   */
  type(reference: string, within: string | undefined): Code {
    const target = pointedAt(this.#root, reference)
    if (target === undefined) return unknownType
    if (typeof target === 'boolean') return single(target ? 'unknown' : 'never')
    const name = this.#named.get(reference) ?? this.#declare(reference)
    if (name === undefined || (within !== undefined && !this.#allow(within, name))) return unknownType
    return single(name, unionSize(target, this.#root))
  }

  /** The next type to declare. */
  next(): { name: string; schema: Schema } | undefined {
    const reference = this.#waiting.shift()
    if (reference === undefined) return undefined
    return { name: this.#named.get(reference)!, schema: pointedAt(this.#root, reference) as Schema }
  }

  #declare(reference: string): string | undefined {
    if (this.#named.size > mostTypes) return undefined
    const last = reference.slice(reference.lastIndexOf('/') + 1)
    const name = this.#names.unique(`${this.#rootName}${typeName(decoded(last))}`)
    this.#named.set(reference, name)
    this.#waiting.push(reference)
    return name
  }

  /** Notes that one type is made of another, unless that would close a circle. */
  #allow(from: string, to: string): boolean {
    if (this.#reaches(to, from)) return false
    const parts = this.#madeOf.get(from) ?? new Set()
    this.#madeOf.set(from, parts.add(to))
    return true
  }

  #reaches(from: string, to: string): boolean {
    const seen = new Set([from])
    for (const name of seen) {
      if (name === to) return true
      for (const part of this.#madeOf.get(name) ?? []) seen.add(part)
    }
    return false
  }
}

const mostTypes = 300
