import type { Resource } from '../../model/resources.ts'
import type { ServedFile } from '../catalog.ts'
import { directoryType } from '../protocol.ts'
import { rootsAbove, skillUri } from '../skill-uri.ts'
import type { Found } from './walk-folder.ts'

/** The direct children of every folder that is part of a skill or leads to one. */
export function listDirectories(
  files: ReadonlyMap<string, ServedFile>,
  found: readonly Found[],
  roots: ReadonlySet<string>,
): Map<string, Resource[]> {
  const children = new Map<string, Map<string, Resource>>()
  const add = (names: readonly string[]): void => {
    const uri = skillUri(names)
    if (children.has(uri)) return
    children.set(uri, new Map())
    if (names.length === 1) return
    add(names.slice(0, -1))
    const listed = { uri, name: names.at(-1)!, mimeType: directoryType }
    children.get(skillUri(names.slice(0, -1)))!.set(uri, listed)
  }
  for (const { names } of found) {
    if (rootsAbove(names, roots).length > 0) add(names)
  }
  for (const [uri, { listed }] of files) children.get(uri.slice(0, uri.lastIndexOf('/')))!.set(uri, listed)
  return new Map([...children].map(([uri, own]) => [uri, [...own.values()].sort(byUri)]))
}

const byUri = (one: Resource, other: Resource): number => (one.uri < other.uri ? -1 : 1)
