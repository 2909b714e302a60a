import { isDeepStrictEqual } from 'node:util'
import { ConfigError } from '../problem.ts'
import { type Format, parseText } from '../read/parse-text.ts'
import { isTree, treeOf } from '../read/tree.ts'

type Path = readonly (string | number)[]

/** Files above this size are changed by their own host only. */
const maxLength = 2 * 1024 * 1024

/**
 * The text of a config file with one member set, or removed if the value is undefined. Comments and formatting stay.
 * The result is parsed again: if anything but the member would change, a `ConfigError` is thrown instead.
 */
export async function editText(text: string, format: Format, path: Path, value: unknown): Promise<string> {
  if (text.length > maxLength) throw cannot(`is longer than ${maxLength} characters`, path, 'too_large')
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const plain = text.slice(mark.length)
  const before = await treeIn(plain, format)
  const wanted = [withMember(before ?? {}, path, value), ...withoutEmptied(before, path, value)].map(plainTree)
  for (const candidate of await candidates(plain, format, path, value)) {
    const { value: after, problem } = await parseText(candidate, format)
    const found = plainTree(after ?? {})
    if (problem === undefined && wanted.some((tree) => isDeepStrictEqual(found, tree))) return `${mark}${candidate}`
  }
  throw cannot('cannot be changed without changing the rest of the file', path)
}

/** A table of TOML is gone with its last member. */
function withoutEmptied(before: unknown, path: Path, value: unknown): unknown[] {
  const parent = path.slice(0, -1)
  const left = withMember(before ?? {}, path, value)
  const emptied = parent.reduce<unknown>((inner, step) => (isTree(inner) ? inner[step] : undefined), left)
  return value === undefined && isTree(emptied) && Object.keys(emptied).length === 0 && parent.length > 0
    ? [withMember(left, parent, undefined)]
    : []
}

/** Parsers make objects of different kinds. */
function plainTree(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainTree)
  if (!isTree(value) || value instanceof Date) return value
  return treeOf(Object.entries(value).map(([name, inner]) => [name, plainTree(inner)]))
}

async function treeIn(text: string, format: Format): Promise<unknown> {
  const { value, problem } = await parseText(text, format)
  if (problem) throw new ConfigError(problem)
  if (value !== undefined && value !== null && !isTree(value))
    throw cannot('expected an object at the top', [], 'shape')
  return value
}

/** The edited texts to try, the best first. */
async function candidates(text: string, format: Format, path: Path, value: unknown): Promise<string[]> {
  if (format === 'yaml') return (await import('./edit-yaml.ts')).editYaml(text, path, value)
  const edit = format === 'toml' ? (await import('./edit-toml.ts')).editToml : (await import('./edit-json.ts')).editJson
  const edited = edit(text, path, value)
  return edited === undefined ? [] : [edited]
}

/** A copy of a tree with one member set, or removed. */
function withMember(tree: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(tree)) {
    const at = Number(step)
    const item = withMember(tree[at], rest, value)
    return [...tree.slice(0, at), ...(item === undefined ? [] : [item]), ...tree.slice(at + 1)]
  }
  const members = new Map<string, unknown>(isTree(tree) ? Object.entries(tree) : [])
  const missing = rest.length === 0 ? undefined : typeof rest[0] === 'number' ? [] : {}
  const inner = withMember(members.get(String(step)) ?? missing, rest, value)
  if (inner === undefined) members.delete(String(step))
  else members.set(String(step), inner)
  return treeOf(members)
}

const cannot = (
  message: string,
  path: Path,
  code: 'unsupported' | 'too_large' | 'shape' = 'unsupported',
): ConfigError => new ConfigError({ code, message, path })
