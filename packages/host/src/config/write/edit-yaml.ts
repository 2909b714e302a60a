import { type Document, isCollection, isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml'
import { indentAt, indentedBelow, indentUnit, lineBreakOf, lineEnd, lineStart, nextLine, spliced } from './splice.ts'

type Path = readonly (string | number)[]

/**
 * YAML with one member set, or removed if the value is undefined. Lines are added, replaced or removed; a file in which
 * that is not possible is printed anew, with its comments.
 */
export function editYaml(text: string, path: Path, value: unknown): string[] {
  const document = parseDocument(text, { uniqueKeys: false, schema: 'core', merge: true })
  const lines = editedLines(text, document, ...collapsed(document, path, value))
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, document.createNode(value))
  const anew = document.toString({ lineWidth: 0, indent: Math.max(indentUnit(text).length, 1) })
  return [...(lines === undefined ? [] : [lines]), anew.replaceAll('\n', lineBreakOf(text))]
}

/** The nearest place that is there, and the value for it with everything between. */
function collapsed(document: Document, path: Path, value: unknown): [Path, unknown] {
  let [at, inner] = [path, value]
  while (inner !== undefined && at.length > 1 && !document.hasIn(at.slice(0, -1))) {
    inner = typeof at.at(-1) === 'number' ? [inner] : { [at.at(-1)!]: inner }
    at = at.slice(0, -1)
  }
  return [at, inner]
}

/** The edited lines; undefined if the place is not a block of lines. */
function editedLines(text: string, document: Document, path: Path, value: unknown): string | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const [key, lineBreak] = [path.at(-1)!, lineBreakOf(text)]
  if (!isMap(parent) || parent.flow || parent.items.length === 0) return undefined
  const rows = (parent as YAMLMap).items
  const print = (indent: string): string =>
    indentedBelow(
      stringify({ [key]: value }, { lineWidth: 0, indent: indentUnit(text).length }).trimEnd(),
      indent,
      lineBreak,
    )
  const pair = rows.findLast((candidate) => isScalar(candidate.key) && candidate.key.value === key)
  if (pair === undefined) {
    const last = extentOf(text, rows.at(-1)!)
    const indent = indentAt(text, last.start)
    const at = text[last.end - 1] === '\n' ? '' : lineBreak
    return spliced(text, [{ start: last.end, end: last.end, text: `${at}${indent}${print(indent)}${lineBreak}` }])
  }
  const { start, end } = extentOf(text, pair)
  const indent = indentAt(text, start)
  const content = value === undefined ? '' : `${indent}${print(indent)}${lineBreak}`
  return spliced(text, [{ start, end, text: content }])
}

/** The lines of a member, from its key to the end of its value. */
function extentOf(text: string, { key, value }: Pair): { start: number; end: number } {
  const keyRange = isScalar(key) ? key.range : undefined
  const valueRange = isScalar(value) || isCollection(value) ? value.range : undefined
  const start = lineStart(text, keyRange?.[0] ?? 0)
  const last = Math.max(valueRange?.[1] ?? 0, keyRange?.[1] ?? 0)
  // The range of a block ends at the start of the line after it.
  const inside = text[last - 1] === '\n' ? last - 1 : last
  return { start, end: nextLine(text, lineEnd(text, inside)) }
}
