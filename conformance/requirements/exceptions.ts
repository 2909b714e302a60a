import { readFileSync } from 'node:fs'

/** Rows of a file beside this one: a pattern of requirements, a tab, the rest. */
const rowsOf = (name: string): string[][] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'))
    .map((row) => row.split('\t'))

/** `a.b` is itself, `a.*` everything that begins with `a.`, and `a.b@2025-06-18` is in that revision only. */
export interface Pattern {
  text: string
  matches(id: string, revision?: string): boolean
}

export function patternOf(text: string): Pattern {
  const [ids = '', named] = text.split('@')
  const isNamed = (id: string): boolean => (ids.endsWith('*') ? id.startsWith(ids.slice(0, -1)) : id === ids)
  return { text, matches: (id, revision) => isNamed(id) && (named === undefined || named === revision) }
}

/** The reason why something is not shown. */
export interface Excuse {
  pattern: Pattern
  reason: string
}

export const readExcuses = (): Excuse[] =>
  rowsOf('not-shown.tsv').map(([pattern, reason]) => ({ pattern: patternOf(pattern!), reason: reason! }))

export const excuseOf = (excuses: readonly Excuse[], id: string, revision?: string): string | undefined =>
  excuses.find(({ pattern }) => pattern.matches(id, revision))?.reason

/** Requirements that are the same in every revision, because their code cannot know the revision. */
export interface Independent {
  pattern: Pattern
  /** The files and folders below `packages/sdk/src` that implement it. */
  places: readonly string[]
  reason: string
}

export const independents: readonly Independent[] = rowsOf('revision-independent.tsv').map(
  ([pattern, places, reason]) => ({ pattern: patternOf(pattern!), places: places!.split(' '), reason: reason! }),
)

export const isIndependent = (id: string): boolean => independents.some(({ pattern }) => pattern.matches(id))
