import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { maxDepth, type Parsed, type Position } from './parse-text.ts'
import { treeOf } from './tree.ts'

/** Comments and trailing commas are fine. */
export const tolerant = { allowTrailingComma: true, disallowComments: false }

/** JSON with comments and trailing commas; the first error is reported. */
export function parseJsonc(text: string): Parsed {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, tolerant)
  const [error] = errors
  if (error === undefined) return { value: root && plainValue(root, 0) }
  const problem = { code: 'syntax', message: sentenceOf(error), ...positionsIn(text)(error.offset) } as const
  return { value: undefined, problem }
}

/** Finds the position of a member, or of the nearest one around it. */
export function locatorOf(text: string): (path: readonly (string | number)[]) => Position | undefined {
  const root = parseTree(text, [], tolerant)
  const position = positionsIn(text)
  return (path) => {
    let node = root
    for (const step of path) {
      const next = childOf(node, step)
      if (next === undefined) break
      node = next
    }
    return node && position((node.parent?.type === 'property' ? node.parent : node).offset)
  }
}

/** Turns offsets into lines and columns. */
function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ index, 0: end }) => index + end.length)]
  return (offset) => {
    const next = starts.findIndex((start) => start > offset)
    const line = next < 0 ? starts.length : next
    return { line, column: offset - starts[line - 1]! + 1 }
  }
}

/** The value of a member; of several with one name the last, which is the one that counts. */
export function childOf(node: Node | undefined, step: string | number): Node | undefined {
  if (node?.type === 'array') return typeof step === 'number' ? node.children?.[step] : undefined
  return node?.children?.findLast((property) => property.children?.[0]?.value === step)?.children?.[1]
}

function plainValue(node: Node, depth: number): unknown {
  if (depth > maxDepth) throw new RangeError('too deep')
  const children = node.children ?? []
  if (node.type === 'array') return children.map((item) => plainValue(item, depth + 1))
  if (node.type !== 'object') return node.value
  return treeOf(children.map(({ children: [name, item] = [] }) => [String(name!.value), plainValue(item!, depth + 1)]))
}

/** `CloseBraceExpected` as a sentence. */
const sentenceOf = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
