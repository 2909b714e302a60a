/**
 * Checks a Markdown page as a reader would: in its `console` blocks a line with `$` is typed, and the lines after it have
 * to be printed. `…` in a line stands for anything, and alone in a line for any lines. A block whose first line says
 * `file=name` is saved under that name, `continued` at the end of it. `UPDATE_DOCS=1` writes the printed lines into the page.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** The reader of a page. */
export interface Reader {
  /** Types a line into the terminal, and gives its output. */
  type(line: string): Promise<string>
  /** Saves a file. */
  save?(name: string, text: string): void
}

interface Block {
  info: string[]
  /** The index of the first line after the backticks. */
  start: number
  lines: string[]
}

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ 1: info, 2: body, index }) => ({
    info: info!.split(' '),
    start: text.slice(0, index).split('\n').length,
    lines: body!.split('\n').slice(0, -1),
  }))

interface Step {
  line: string
  printed: string[]
}

function stepsOf({ lines }: Block): Step[] {
  const steps: Step[] = []
  for (const line of lines) {
    if (line.startsWith('$ ')) steps.push({ line: line.slice(2), printed: [] })
    else steps.at(-1)!.printed.push(line)
  }
  return steps
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const pattern = (lines: string[]): RegExp =>
  new RegExp(
    `^${lines.map((line) => (line === '…' ? '(?:.*\n)*' : `${line.split('…').map(literally).join('.*')}\n`)).join('')}$`,
  )

/** Commands print it after 3 s, so it says how busy the machine is. */
const slowNote = /^.*… no answer yet; --timeout says how long to wait, Ctrl-C ends it$/

const linesOf = (output: string): string[] =>
  output === ''
    ? []
    : output
        .replace(/\n$/, '')
        .split('\n')
        .filter((line) => !slowNote.test(line))

/** Follows the page from top to bottom. */
export async function readPage(file: string, { type, save }: Reader): Promise<void> {
  const text = readFileSync(file, 'utf8')
  const page = text.split('\n')
  const saved = new Map<string, string>()
  // Lines are replaced from the end of the page, so that those before stay where they are.
  const updates: (() => void)[] = []
  for (const block of blocksOf(text)) {
    const name = block.info.find((word) => word.startsWith('file='))?.slice('file='.length)
    if (name !== undefined) {
      const before = block.info.includes('continued') ? `${saved.get(name)}\n` : ''
      saved.set(name, `${before}${block.lines.join('\n')}\n`)
      save?.(name, saved.get(name)!)
    }
    if (block.info[0] !== 'console') continue
    const found: string[] = []
    for (const { line, printed } of stepsOf(block)) {
      const output = linesOf(await type(line))
      const fits = pattern(printed).test(output.map((one) => `${one}\n`).join(''))
      if (!process.env.UPDATE_DOCS && !fits) expect(output.join('\n'), `$ ${line}`).toBe(printed.join('\n'))
      found.push(`$ ${line}`, ...(fits ? printed : output))
    }
    updates.unshift(() => page.splice(block.start, block.lines.length, ...found))
  }
  if (!process.env.UPDATE_DOCS) return
  for (const update of updates) update()
  writeFileSync(file, page.join('\n'))
}
