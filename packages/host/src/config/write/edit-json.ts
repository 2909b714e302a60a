import { type Node, parseTree } from 'jsonc-parser'
import { childOf, tolerant } from '../read/jsonc.ts'
import {
  indentAt,
  indentedBelow,
  indentUnit,
  lineBreakOf,
  lineEnd,
  lineStart,
  nextLine,
  type Splice,
  spliced,
} from './splice.ts'

type Path = readonly (string | number)[]

/** JSON with one member set, or removed if the value is undefined. Everything else stays as it is written. */
export function editJson(text: string, path: Path, value: unknown): string | undefined {
  const root = parseTree(text, [], tolerant)
  if (root === undefined) return value === undefined ? text : `${JSON.stringify(nested(path, value), null, 2)}\n`
  let node = root
  for (const [index, step] of path.entries()) {
    const child = childOf(node, step)
    if (child === undefined) {
      if (value === undefined) return text
      return spliced(text, addition(text, node, step, nested(path.slice(index + 1), value)))
    }
    node = child
  }
  return spliced(text, value === undefined ? removal(text, node) : [replacement(text, node, value)])
}

/** The value inside of objects for the steps that lead to it. */
const nested = (path: Path, value: unknown): unknown =>
  path.reduceRight((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value)

function replacement(text: string, node: Node, value: unknown): Splice {
  const start = node.offset
  return { start, end: start + node.length, text: printed(text, value, indentAt(text, start)) }
}

/** The value in several lines, those below the first one at the indentation. */
function printed(text: string, value: unknown, indent: string): string {
  return indentedBelow(JSON.stringify(value, null, indentUnit(text)), indent, lineBreakOf(text))
}

function addition(text: string, parent: Node, step: string | number, value: unknown): Splice[] {
  const close = parent.offset + parent.length - 1
  const name = parent.type === 'object' ? `${JSON.stringify(String(step))}: ` : ''
  const last = parent.children?.at(-1)
  const [lineBreak, unit] = [lineBreakOf(text), indentUnit(text)]
  if (last === undefined) {
    const outer = indentAt(text, parent.offset)
    const inner = text.slice(parent.offset + 1, close).trimEnd()
    const member = `${lineBreak}${outer}${unit}${name}${printed(text, value, outer + unit)}${lineBreak}${outer}`
    return [{ start: parent.offset + 1 + inner.length, end: close, text: member }]
  }
  const end = last.offset + last.length
  const comma = commaAfter(text, end, close)
  const joined = comma === undefined ? [{ start: end, end, text: ',' }] : []
  const after = comma === undefined ? '' : ','
  const from = comma === undefined ? end : comma + 1
  if (lineEnd(text, from) >= close) {
    const member = ` ${name}${JSON.stringify(value)}${after}`
    return [...joined, { start: from, end: from, text: member }]
  }
  // After a comment on the line of the last member, which belongs to it.
  const at = lineEnd(text, from)
  const indent = indentAt(text, last.offset)
  const member = `${lineBreak}${indent}${name}${printed(text, value, indent)}${after}`
  return [...joined, { start: at, end: at, text: member }]
}

/** The offset of the comma after a member, past spaces and comments. */
function commaAfter(text: string, from: number, close: number): number | undefined {
  const [skipped = ''] = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from, close)) ?? []
  const at = from + skipped.length
  return at < close && text[at] === ',' ? at : undefined
}

function removal(text: string, value: Node): Splice[] {
  const node = value.parent?.type === 'property' ? value.parent : value
  const siblings = node.parent?.children ?? []
  const close = node.parent ? node.parent.offset + node.parent.length - 1 : text.length
  const end = node.offset + node.length
  const comma = commaAfter(text, end, close)
  const before = siblings[siblings.indexOf(node) - 1]
  const splices = comma === undefined && before ? commaBefore(text, before, node) : []
  const past = comma === undefined ? end : comma + 1
  const start = lineStart(text, node.offset)
  const rest = text.slice(past, lineEnd(text, past))
  // A comment behind the member goes with it.
  const isAlone = text.slice(start, node.offset).trim() === '' && /^\s*(?:\/\/.*)?$/.test(rest)
  if (isAlone) return [...splices, { start, end: nextLine(text, past), text: '' }]
  const gap = /^[ \t]*/.exec(text.slice(past))?.[0].length ?? 0
  return [...splices, { start: node.offset, end: comma === undefined ? past : past + gap, text: '' }]
}

/** The comma that would be left behind the member before the last one. */
function commaBefore(text: string, before: Node, node: Node): Splice[] {
  const at = commaAfter(text, before.offset + before.length, node.offset)
  return at === undefined ? [] : [{ start: at, end: at + 1, text: '' }]
}
