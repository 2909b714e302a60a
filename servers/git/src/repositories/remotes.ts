import type { ConfigEntry } from '../safe-git/safe-config.ts'

export interface Remote {
  readonly name: string
  readonly urls: readonly string[]
  readonly push_urls: readonly string[]
}

/** The remotes of a repository, without passwords. */
export function remotesOf(entries: readonly ConfigEntry[]): Remote[] {
  const names = new Set(entries.filter(({ section }) => section === 'remote').map(({ subsection }) => subsection!))
  const valuesOf = (name: string, key: string): string[] =>
    entries
      .filter((entry) => entry.section === 'remote' && entry.subsection === name && entry.key === key)
      .map(({ value }) => maskedUrl(value))
  return [...names].map((name) => ({ name, urls: valuesOf(name, 'url'), push_urls: valuesOf(name, 'pushurl') }))
}

/** Hides the password of `https://user:password@host`, and a token that stands alone before the `@`. */
export const maskedUrl = (url: string): string => url.replace(/^(https?:\/\/)[^/@]*@/i, '$1***@')
