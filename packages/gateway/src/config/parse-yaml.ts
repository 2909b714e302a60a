import { isMap, isNode, isPair, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type { ConfigProblem } from './problem.ts'

const maxLength = 1024 * 1024
const maxDepth = 100

type Path = readonly (string | number)[]

/** A text as a value, and the places in it. */
interface ParsedYaml {
  readonly value: unknown
  readonly problems: readonly ConfigProblem[]
  /** The position of a member; of the nearest one around it that exists. */
  find(path: Path): { line: number; column: number } | undefined
}

const nowhere = (message: string): ParsedYaml => ({
  value: undefined,
  problems: [{ path: [], message }],
  find: () => undefined,
})

/** Reads YAML, of which JSON is a part. Two members of one name are a fault: one of them would be lost. */
export function parseYaml(text: string): ParsedYaml {
  if (text.length > maxLength) return nowhere(`expected at most ${maxLength} characters`)
  // The parser calls itself for each level.
  if (depthOf(text) > maxDepth) return nowhere(`expected at most ${maxDepth} levels`)
  const lines = new LineCounter()
  const place = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', uniqueKeys: false, prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) {
    const message = error.message.split('\n')[0]!
    return { ...nowhere(message), problems: [{ path: [], message, ...place(error.pos[0]) }] }
  }
  const problems: ConfigProblem[] = []
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        const name = String(key)
        if (seen.has(name)) {
          problems.push({ path: [name], message: 'is there twice', ...(isNode(key) && place(key.range?.[0] ?? 0)) })
        }
        seen.add(name)
      }
    },
  })
  const find = (path: Path): { line: number; column: number } | undefined => {
    for (let length = path.length; length > 0; length--) {
      const range = keyNode(document.contents, path.slice(0, length))?.range
      if (range) return place(range[0])
    }
    return undefined
  }
  try {
    return { value: plain(document.toJS({ maxAliasCount: 100 })), problems, find }
  } catch {
    return nowhere('refers to its own parts too often')
  }
}

/** The key that leads to a member, or the item of a list. */
function keyNode(root: Node | null, path: Path): Node | undefined {
  let node: unknown = root
  let key: unknown
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && String(item.key) === String(step))
      key = pair?.key
      node = pair?.value
    } else {
      const items = (node as { items?: unknown[] } | null | undefined)?.items
      node = items?.[step as number]
      key = node
    }
    if (key === undefined) return undefined
  }
  return isNode(key) ? key : undefined
}

/** A tree without the prototype names that a member could have. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** The deepest level, from above: brackets, and the indentation and dashes at the beginning of lines. */
function depthOf(text: string): number {
  let open = 0
  let deepest = 0
  for (const line of text.split('\n')) {
    const [start] = /^[\s-]*/.exec(line) ?? ['']
    const dashes = start.replace(/[^-]/g, '').length
    const indents = start.length - dashes
    for (const character of line) {
      if (character === '[' || character === '{') open++
      else if (character === ']' || character === '}') open = Math.max(0, open - 1)
      deepest = Math.max(deepest, open)
    }
    deepest = Math.max(deepest, indents > 400 ? maxDepth + 1 : 0, dashes > maxDepth ? dashes : 0)
  }
  return deepest
}
