import { type Document, isAlias, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import type { PathStep } from '../../json/path.ts'
import type { Place } from '../types.ts'
import { CallsFileError } from './problems.ts'
import { isTooDeep } from './yaml-depth.ts'

// More than anybody writes by hand; a file is held in memory several times.
const maxLength = 4 * 1024 * 1024

/** A YAML or JSON file: its value, and the position of each part. */
interface LocatedDocument {
  value: unknown
  locate(path: readonly PathStep[]): Place
}

export function parseLocated(text: string, file: string): LocatedDocument {
  if (text.length > maxLength) {
    throw new CallsFileError(file, [at(1, 1, `longer than the limit of ${maxLength} characters`)])
  }
  if (isTooDeep(text)) throw new CallsFileError(file, [at(1, 1, 'nested deeper than the limit of 100 levels')])
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => {
      const { line, col } = lines.linePos(pos[0])
      return at(line, col, message)
    })
    throw new CallsFileError(file, problems)
  }
  return { value: readValue(document, file), locate: (path) => place(document, lines, path) }
}

const at = (line: number, column: number, message: string) => ({ line, column, path: '', message })

function readValue(document: Document, file: string): unknown {
  try {
    // Nested aliases can expand to more than the memory.
    return document.toJS({ maxAliasCount: 1_000 })
  } catch (error) {
    throw new CallsFileError(file, [at(1, 1, (error as Error).message)])
  }
}

/** The position of the value at a path, or of the innermost value around it. */
function place(document: Document, lines: LineCounter, path: readonly PathStep[]): Place {
  let node: unknown = document.contents
  let found = offsetOf(node) ?? 0
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document)
    node = childOf(node, step)
    const offset = offsetOf(node)
    if (offset === undefined) break
    found = offset
    node = isPair(node) ? (node.value ?? node) : node
  }
  const { line, col } = lines.linePos(found)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

/** Members are found by their key, so that a problem points at the name. */
function childOf(node: unknown, step: PathStep): unknown {
  if (isMap(node)) return node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
  return (node as { items?: unknown[] } | null)?.items?.[step as number]
}

function offsetOf(node: unknown): number | undefined {
  if (isPair(node)) return offsetOf(node.key)
  return isNode(node) ? node.range?.[0] : undefined
}
