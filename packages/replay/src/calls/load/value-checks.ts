import type { JsonObject } from '@tenon/sdk/client'
import { nearest } from '@tenon/sdk/display'
import { describeValue } from '../../json/describe-value.ts'
import { isObject } from '../../json/is-object.ts'
import type { PathStep } from '../../json/path.ts'
import type { ProblemList } from './problems.ts'

type Path = readonly PathStep[]

/** Checks values from a file. A wrong value is a problem, and undefined. */
export class ValueChecks {
  readonly problems: ProblemList

  constructor(problems: ProblemList) {
    this.problems = problems
  }

  /** An object that has no members but these. */
  object(value: unknown, path: Path, members?: readonly string[]): JsonObject | undefined {
    if (!isObject(value)) return this.#expected('an object', value, path)
    for (const name of members === undefined ? [] : Object.keys(value)) {
      if (members!.includes(name)) continue
      const [meant] = nearest(name, members!)
      const hint = meant === undefined ? `expected one of ${members!.join(', ')}` : `did you mean ${meant}?`
      this.problems.add([...path, name], `is not known here; ${hint}`)
    }
    return value
  }

  list(value: unknown, path: Path): unknown[] | undefined {
    return Array.isArray(value) ? value : this.#expected('a list', value, path)
  }

  text(value: unknown, path: Path): string | undefined {
    return typeof value === 'string' && value !== '' ? value : this.#expected('a text', value, path)
  }

  number(value: unknown, path: Path): number | undefined {
    return typeof value === 'number' && value > 0 ? value : this.#expected('a number above 0', value, path)
  }

  boolean(value: unknown, path: Path): boolean | undefined {
    return typeof value === 'boolean' ? value : this.#expected('true or false', value, path)
  }

  oneOf<T extends string>(value: unknown, path: Path, allowed: readonly T[]): T | undefined {
    if (allowed.includes(value as T)) return value as T
    const [meant] = typeof value === 'string' ? nearest(value, allowed) : []
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    this.problems.add(path, `expected one of ${allowed.join(', ')}, got ${describeValue(value)}${hint}`)
    return undefined
  }

  /** An object of texts; numbers and booleans are taken as they are written. */
  texts(value: unknown, path: Path): { [name: string]: string } | undefined {
    const found = this.object(value, path)
    if (found === undefined) return undefined
    const entries = Object.entries(found).map(([name, member]) => {
      if (typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean') {
        return [name, String(member)]
      }
      this.#expected('a text', member, [...path, name])
      return [name, '']
    })
    return Object.fromEntries(entries)
  }

  textList(value: unknown, path: Path): string[] | undefined {
    return this.list(value, path)?.map((item, index) => {
      if (typeof item === 'string' || typeof item === 'number') return String(item)
      this.#expected('a text', item, [...path, index])
      return ''
    })
  }

  #expected(what: string, value: unknown, path: Path): undefined {
    this.problems.add(path, `expected ${what}, got ${describeValue(value)}`)
  }
}
