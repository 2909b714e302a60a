import { parse, stringify } from 'smol-toml'
import { isTree } from '../read/tree.ts'
import { lineBreakOf } from './splice.ts'

type Path = readonly (string | number)[]

/** A line with the name of a table, and the keys that lead to it. */
interface Header {
  line: number
  keys: readonly string[]
}

/**
 * TOML with one member set, or removed if the value is undefined. A table is added at the end of the file, and removed
 * with its own tables; another value is a line of its table.
 */
export function editToml(text: string, path: Path, value: unknown): string | undefined {
  const keys = path.map(String)
  const lineBreak = lineBreakOf(text)
  const lines = text.split(/\r?\n/)
  const edited = isTree(value) || value === undefined ? editTable(lines, keys, value) : editMember(lines, keys, value)
  return edited?.join(lineBreak)
}

function editTable(lines: readonly string[], keys: readonly string[], value: unknown): string[] | undefined {
  const headers = headersIn(lines)
  const own = headers.filter((header) => startsWith(header.keys, keys))
  if (own.length === 0 && value === undefined) return editMember(lines, keys, undefined)
  const removed = new Set(own.flatMap((header) => rowsOf(header, headers, lines)))
  const kept = lines.filter((_, index) => !removed.has(index))
  return value === undefined ? trimmed(kept, lines) : [...trimmed(kept, lines, true), ...table(keys, value), '']
}

const table = (keys: readonly string[], value: unknown): string[] =>
  stringify(keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>)
    .trimEnd()
    .split('\n')

/** Without the blank lines that a table left at the end; with one of them before a table that follows. */
function trimmed(kept: readonly string[], lines: readonly string[], isFollowed = false): string[] {
  if (kept.length === lines.length && !isFollowed) return [...kept]
  const end = kept.findLastIndex((line) => line.trim() !== '')
  return end < 0 ? [] : [...kept.slice(0, end + 1), '']
}

/** Sets or removes one line `key = value` of a table. */
function editMember(lines: readonly string[], keys: readonly string[], value: unknown): string[] | undefined {
  const [parent, key] = [keys.slice(0, -1), keys.at(-1)!]
  const headers = headersIn(lines)
  const header = headers.find(
    (candidate) => candidate.keys.length === parent.length && startsWith(candidate.keys, parent),
  )
  if (header === undefined) return value === undefined ? [...lines] : undefined
  const rows = rowsOf(header, headers, lines).slice(1)
  const at = rows.find((row) => keysOf(lines[row]!.split('=')[0]!)?.join() === key)
  const line = value === undefined ? [] : [stringify({ [key]: value }).trimEnd()]
  return at === undefined
    ? [...lines.slice(0, header.line + 1), ...line, ...lines.slice(header.line + 1)]
    : [...lines.slice(0, at), ...line, ...lines.slice(at + 1)]
}

/** The lines of a table, without the comments above the next one. */
function rowsOf({ line }: Header, headers: readonly Header[], lines: readonly string[]): number[] {
  const next = headers.find((header) => header.line > line)?.line ?? lines.length
  let end = next
  if (next < lines.length) while (end > line + 1 && /^\s*#/.test(lines[end - 1]!)) end -= 1
  return Array.from({ length: end - line }, (_, index) => line + index)
}

function headersIn(lines: readonly string[]): Header[] {
  return lines.flatMap((text, line) => {
    const [, name] = /^\s*\[{1,2}([^\]]+)\]{1,2}\s*(?:#.*)?$/.exec(text) ?? []
    const keys = name === undefined ? undefined : keysOf(name)
    return keys === undefined ? [] : [{ line, keys }]
  })
}

/** The keys of a dotted name, which may be quoted. */
function keysOf(name: string): string[] | undefined {
  try {
    const keys: string[] = []
    for (let tree: unknown = parse(`${name.trim()} = 1`); isTree(tree); ) {
      const [key] = Object.keys(tree)
      keys.push(key!)
      tree = tree[key!]
    }
    return keys
  } catch {
    return undefined
  }
}

const startsWith = (keys: readonly string[], start: readonly string[]): boolean =>
  start.every((key, index) => keys[index] === key)
