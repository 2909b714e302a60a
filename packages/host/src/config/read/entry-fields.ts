import type { Problem, ProblemCode } from '../problem.ts'
import { describeType } from '../problem.ts'
import { isTree, member, memberAt, type Tree } from './tree.ts'

type Path = readonly (string | number)[]

/** How many problems of one entry are kept. */
const maxProblems = 100

/** Reads the members of one entry, and keeps track of unread ones. */
export class EntryFields {
  readonly problems: Problem[] = []
  readonly #value: Tree
  readonly #path: Path
  readonly #known = new Set<string>()

  constructor(value: Tree, path: Path) {
    this.#value = value
    this.#path = path
  }

  report(code: ProblemCode, message: string, path: Path = []): void {
    if (this.problems.length < maxProblems) this.problems.push({ code, message, path: [...this.#path, ...path] })
  }

  /** Members that may be there without being read. */
  know(names: Iterable<string>): void {
    for (const name of names) this.#known.add(name)
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#value, name)
  }

  at(path: readonly string[]): unknown {
    this.#known.add(path[0]!)
    const value = memberAt(this.#value, path)
    return value === null ? undefined : value
  }

  text(path: readonly string[]): string | undefined {
    const value = this.at(path)
    if (value === undefined || typeof value === 'string') return value
    this.#unexpected('a string', value, path)
    return undefined
  }

  flag(path: readonly string[]): boolean | undefined {
    const value = this.at(path)
    if (value === undefined || typeof value === 'boolean') return value
    this.#unexpected('true or false', value, path)
    return undefined
  }

  number(path: readonly string[]): number | undefined {
    const value = this.at(path)
    if (value === undefined) return undefined
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
    this.#unexpected('a number above 0', value, path)
    return undefined
  }

  texts(path: readonly string[]): string[] | undefined {
    const value = this.at(path)
    if (value === undefined) return undefined
    if (Array.isArray(value)) {
      const found = value.map((item, index) => this.#scalar(item, [...path, index]))
      return found.filter((item) => item !== undefined)
    }
    this.#unexpected('a list of strings', value, path)
    return undefined
  }

  record(path: readonly string[]): Record<string, string> | undefined {
    const value = this.at(path)
    if (value === undefined) return undefined
    if (!isTree(value)) {
      this.#unexpected('an object of strings', value, path)
      return undefined
    }
    const found = Object.keys(value).map((name) => [name, this.#scalar(member(value, name), [...path, name])] as const)
    return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
  }

  /** The members that were not read. */
  unread(): string[] {
    return Object.keys(this.#value).filter((name) => !this.#known.has(name))
  }

  // People forget to quote numbers and booleans, in YAML above all.
  #scalar(value: unknown, path: Path): string | undefined {
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    this.#unexpected('a string', value, path)
    return undefined
  }

  #unexpected(expected: string, found: unknown, path: Path): void {
    this.report('shape', `expected ${expected}, found ${describeType(found)}`, path)
  }
}
