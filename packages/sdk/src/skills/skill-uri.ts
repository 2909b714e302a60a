import { skillFile } from './protocol.ts'

/** The URI of a path of names, the first of which is the authority. */
export const skillUri = (names: readonly string[]): string => `skill://${names.map(encodeURIComponent).join('/')}`

/** The skills, by the URIs of their folders, that something belongs to: more than one if they are nested. */
export const rootsAbove = (names: readonly string[], roots: ReadonlySet<string>): string[] =>
  names.map((_, index) => skillUri(names.slice(0, index + 1))).filter((uri) => roots.has(uri))

/** The URI of a skill's folder, from that of its `SKILL.md`. */
export const rootOf = (uri: string): string => uri.slice(0, -(skillFile.length + 1))

/** The name that the URI of a `SKILL.md` gives to its skill; undefined if it is no such URI. */
export function nameIn(uri: string): string | undefined {
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/(.+)$/i.exec(uri) ?? []
  const [first, ...rest] = path?.split('/') ?? []
  // Schemes without an authority start with an empty name.
  const names = (first === '' ? rest : [first ?? '', ...rest]).map(decodeName)
  if (names.includes(undefined) || names.at(-1) !== skillFile || !uri.endsWith(`/${skillFile}`)) return undefined
  return names.at(-2)
}

/**
 * The path of a file below a folder, decoded; undefined if it is not below it, or if dots, slashes or backslashes could
 * be read in two ways.
 */
export function pathBelow(root: string, uri: string): string | undefined {
  if (!uri.startsWith(`${root}/`)) return undefined
  const names = uri
    .slice(root.length + 1)
    .split('/')
    .map(decodeName)
  return names.includes(undefined) ? undefined : names.join('/')
}

/** A relative reference from a skill's folder, as a file system would follow it; undefined if it leads out of there. */
export function followPath(reference: string): string | undefined {
  const names: string[] = []
  for (const name of reference.split('/')) {
    if (name === '.' || name === '') continue
    if (name === '..' && names.pop() === undefined) return undefined
    if (name !== '..') names.push(name)
  }
  return names.length === 0 || reference.startsWith('/') ? undefined : names.join('/')
}

function decodeName(encoded: string): string | undefined {
  if (/[?#\\\p{Cc}\s]/u.test(encoded)) return undefined
  const name = decoded(encoded)
  const isPlain = name !== undefined && name !== '' && name !== '.' && name !== '..' && !/[/\\\p{Cc}]/u.test(name)
  return isPlain ? name : undefined
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
