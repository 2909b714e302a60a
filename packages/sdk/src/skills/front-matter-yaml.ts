import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml'
import { FrontMatterError } from './front-matter.ts'

const maxDepth = 16
const maxValues = 2_000
/** Words and signs, long texts count once. Each value has some. */
const maxLexemes = 16_000

/** Throws for a character of the text. */
type Refuse = (offset: number, message: string) => never

/**
 * Reads YAML 1.2 that a stranger wrote. Refused is all that would make a small file large, or that readers understand
 * differently: anchors, tags, merge keys, keys that stand twice, a second document, numbers that JSON does not have.
 */
export function readYaml(lines: readonly string[]): unknown {
  const marker = lines.findIndex((line) => /^(?:%|(?:---|\.\.\.)(?:\s|$))/.test(line))
  if (marker >= 0) throw new FrontMatterError(marker + 2, 'a second document, or a directive')
  const text = lines.join('\n')
  const counter = new LineCounter()
  const refuse: Refuse = (offset, message) => {
    // The first line of the file consists of three dashes.
    throw new FrontMatterError(Math.max(1, counter.linePos(offset).line) + 1, message)
  }
  const composer = new Composer({ stringKeys: true, uniqueKeys: false, logLevel: 'silent' })
  const [document] = [...composer.compose(tokensOf(text, counter, refuse), true, text.length)]
  const [problem] = document!.errors
  if (problem !== undefined) return refuse(problem.pos[0], explained(problem.message))
  checkNodes(document!.contents, refuse)
  return document!.toJS({ maxAliasCount: 0 })
}

/** The mistake that people make in descriptions, in words that say how to mend it. */
const explained = (message: string): string =>
  message.startsWith('Nested mappings') ? 'text with a colon and a space after it needs quotes' : message

/** The syntax tree, of bounded depth: it is composed into nodes by recursion, and a full stack can end the process. */
function tokensOf(text: string, counter: LineCounter, refuse: Refuse): CST.Token[] {
  const parser = new Parser(counter.addNewLine)
  const tokens: CST.Token[] = []
  let count = 0
  counter.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    count += 1
    if (count > maxLexemes) refuse(parser.offset, `more than ${maxLexemes} words and signs`)
    tokens.push(...parser.next(lexeme))
    // The document, the outermost map, and a level for each collection or text in it.
    if (parser.stack.length > maxDepth + 2) refuse(parser.offset, `nested deeper than ${maxDepth} levels`)
  }
  tokens.push(...parser.end())
  return tokens
}

function checkNodes(root: Node | null, refuse: Refuse): void {
  let count = 0
  visit(root, {
    Node(_key, node) {
      const offset = node.range![0]
      count += 1
      if (count > maxValues) refuse(offset, `more than ${maxValues} values`)
      const problem = problemOf(node)
      if (problem !== undefined) refuse(offset, problem)
      if (isMap(node)) checkKeys(node, refuse)
    },
  })
}

function problemOf(node: Node): string | undefined {
  if (isAlias(node)) return 'aliases are not supported; a value that starts with * needs quotes'
  if ('anchor' in node && node.anchor !== undefined) return 'anchors are not supported'
  if (node.tag !== undefined) return 'tags are not supported; a value that starts with ! needs quotes'
  if (!isScalar(node)) return undefined
  const { value, source } = node
  if (typeof value === 'number' && !Number.isFinite(value)) return `${source} is no number of JSON; put it in quotes`
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) return 'the escapes make half of a character'
  return undefined
}

/** The package compares each key with all others of its map, which takes a square of time. */
function checkKeys({ items }: YAMLMap, refuse: Refuse): void {
  const seen = new Set<string>()
  for (const { key } of items) {
    const { value, range } = key as { value: string; range: [number, number, number] }
    if (value === '<<') refuse(range[0], 'merge keys are not supported')
    if (seen.has(value)) refuse(range[0], `the key ${JSON.stringify(value)} stands here twice`)
    seen.add(value)
  }
}
