import type { Problem } from '../problem.ts'
import type { Format, Position } from './parse-text.ts'

/** Longer texts are not parsed a second time for positions. */
const maxLocated = 2 * 1024 * 1024
/** The most problems with positions. */
const maxProblems = 200

/** Says of each problem where in the text it is, as far as that can be found out. */
export async function withPositions(problems: readonly Problem[], text: string, format: Format): Promise<Problem[]> {
  const wanting = problems.some(({ path, line }) => path !== undefined && line === undefined)
  if (!wanting || text.length > maxLocated || format === 'toml') return [...problems]
  const find = format === 'yaml' ? await yamlLocator(text) : await jsonLocator(text)
  return problems.map((problem, index) => ({
    ...(index < maxProblems && problem.path && find(problem.path)),
    ...problem,
  }))
}

type Locator = (path: readonly (string | number)[]) => Position | undefined

async function jsonLocator(text: string): Promise<Locator> {
  const { locatorOf } = await import('./jsonc.ts')
  return locatorOf(text)
}

async function yamlLocator(text: string): Promise<Locator> {
  const { LineCounter, isNode, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'silent' })
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true)
      if (!isNode(node) || !node.range) continue
      const { line, col } = lines.linePos(node.range[0])
      return { line, column: col }
    }
    return undefined
  }
}
