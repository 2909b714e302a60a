import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Root } from '@tenon/sdk/client'
import { RequestProblem } from '../problem.ts'
import { isObject, unexpected } from '../read-params.ts'

const maxRoots = 1_000

/** Reads roots, which are folders and files of this machine: as URIs, or as paths that become such. */
export function readRoots(value: unknown): Root[] {
  if (!Array.isArray(value)) throw unexpected('roots', 'an array', value)
  if (value.length > maxRoots) throw new RequestProblem(`roots: expected at most ${maxRoots}, got ${value.length}`)
  const seen = new Set<string>()
  return value.map((root, index) => {
    const where = `roots[${index}].uri`
    const { uri, name } = isObject(root) ? root : {}
    if (typeof uri !== 'string') throw unexpected(where, 'a text', uri)
    const found = rootUri(uri.trim(), where)
    if (seen.has(found)) throw new RequestProblem(`${where}: ${found} is there twice`)
    seen.add(found)
    return { uri: found, ...(typeof name === 'string' && name.trim() !== '' && { name: name.trim() }) }
  })
}

function rootUri(text: string, where: string): string {
  if (/^file:/i.test(text)) return fileUri(text, where)
  if (text === '~' || text.startsWith('~/')) return pathToFileURL(join(homedir(), text.slice(1))).href
  if (isAbsolute(text)) return pathToFileURL(text).href
  const expected = 'expected a whole path, or a URI that begins with file://'
  throw new RequestProblem(`${where}: ${expected}, got ${JSON.stringify(text.slice(0, 200))}`)
}

function fileUri(text: string, where: string): string {
  const isUri = text.startsWith('file://') && URL.canParse(text)
  if (!isUri) throw new RequestProblem(`${where}: expected a URI that begins with file://, got ${text.slice(0, 200)}`)
  const { host } = new URL(text)
  // With two slashes the first folder is taken for a machine, which is hardly ever meant.
  if (host !== '' && process.platform !== 'win32') {
    const meant = `file:///${text.slice('file://'.length)}`
    throw new RequestProblem(`${where}: ${text} is on another machine, ${host}`, `Did you mean ${meant}?`)
  }
  return text
}
