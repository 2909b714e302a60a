import type { Problem } from '../problem.ts'
import { treeOf } from './tree.ts'

export type Format = 'json' | 'toml' | 'yaml'

/** A position in a text, counted from 1. */
export interface Position {
  line: number
  column: number
}

export interface Parsed {
  /** Undefined if the text could not be parsed. */
  value: unknown
  problem?: Problem
}

/** How deep a file may nest. */
export const maxDepth = 100
/** How long a text may be for each parser that is not part of the platform: some of them are slow on purpose-made ones. */
const maxLengths = { jsonc: 4 * 1024 * 1024, toml: 1024 * 1024, yaml: 256 * 1024 }

/** Reads text as JSON with comments and trailing commas, TOML or YAML. Never throws. */
export async function parseText(text: string, format: Format): Promise<Parsed> {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (plain.trim() === '') return { value: undefined }
  try {
    return await parsers[format](plain)
  } catch (error) {
    // Parsers that call themselves run out of stack before they run out of text.
    if (error instanceof RangeError) return failed('too_large', `nests more than ${maxDepth} levels deep`)
    return failed('syntax', firstLine(error))
  }
}

const parsers: Record<Format, (text: string) => Parsed | Promise<Parsed>> = {
  json: parseJson,
  toml: parseToml,
  yaml: parseYaml,
}

const failed = (code: 'syntax' | 'too_large', message: string, position?: Position): Parsed => ({
  value: undefined,
  problem: { code, message, ...position },
})

const tooLong = (what: string, limit: number): Parsed =>
  failed('too_large', `${what} may have ${limit} characters at most`)

async function parseJson(text: string): Promise<Parsed> {
  try {
    // Most files need nothing more, and files of several megabytes exist.
    return { value: JSON.parse(text) }
  } catch {
    if (text.length > maxLengths.jsonc) return tooLong('JSON with comments', maxLengths.jsonc)
    return (await import('./jsonc.ts')).parseJsonc(text)
  }
}

// The parsers of the other formats are loaded when a file needs them: most people have none.
async function parseToml(text: string): Promise<Parsed> {
  if (text.length > maxLengths.toml) return tooLong('TOML', maxLengths.toml)
  const { parse, TomlError } = await import('smol-toml')
  try {
    return { value: parse(text) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    return failed('syntax', firstLine(error), { line: error.line, column: error.column })
  }
}

// Comparing each key with all others takes a minute for some files; here the last one of a name counts.
const yamlOptions = { prettyErrors: false, schema: 'core', merge: true, uniqueKeys: false, logLevel: 'silent' } as const

async function parseYaml(text: string): Promise<Parsed> {
  if (text.length > maxLengths.yaml) return tooLong('YAML', maxLengths.yaml)
  const [{ LineCounter, parseDocument }, { isTooDeep }] = await Promise.all([
    import('yaml'),
    import('@tenon/replay/files'),
  ])
  // The parser calls itself for each level, and a stack that ends in the middle of it may end the process.
  if (isTooDeep(text)) return failed('too_large', `nests more than ${maxDepth} levels deep`)
  const lines = new LineCounter()
  const document = parseDocument(text, { ...yamlOptions, lineCounter: lines })
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0])
    return failed('syntax', firstLine(error), { line, column: col })
  }
  try {
    return { value: fromMaps(document.toJS({ mapAsMap: true, maxAliasCount: 100 }), 0) }
  } catch (error) {
    if (error instanceof ReferenceError) return failed('too_large', 'refers to its own parts too often')
    throw error
  }
}

/** Objects instead of maps, as the other formats give them. */
function fromMaps(value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new RangeError('too deep')
  if (Array.isArray(value)) return value.map((item) => fromMaps(item, depth + 1))
  if (!(value instanceof Map)) return value
  return treeOf([...value].map(([name, item]) => [String(name), fromMaps(item, depth + 1)] as const))
}

/** Further lines of a parser's message quote the text, which may contain secrets. */
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!.replace(/^Invalid TOML document: /, '')
