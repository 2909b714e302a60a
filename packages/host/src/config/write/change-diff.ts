import { readConfigText } from '../read/read-config.ts'
import { secretsOf } from '../secrets.ts'
import type { ConfigChange } from './config-change.ts'

/** A line of a file before and after a change. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Unchanged lines around a change. */
const context = 3
/** Above this, changed lines are not compared one by one. */
const maxCompared = 600

/** The changed lines of a file and a few around them, for people to look at: values that look like secrets are `…`. */
export async function changeDiff(change: ConfigChange): Promise<DiffLine[]> {
  const hide = await hider(change)
  return diffLines(linesOf(change.before ?? ''), linesOf(change.after)).map((line) => ({
    ...line,
    text: hide(line.text),
  }))
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }))
  return [
    ...same(before.slice(Math.max(0, start - context), start)),
    ...compared(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end, before.length - end + context)),
  ]
}

/** The longest common lines stay; the others are removed or added. */
function compared(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (before.length > maxCompared || after.length > maxCompared) return [...before.map(removed), ...after.map(added)]
  const lengths = commonLengths(before, after)
  const lines: DiffLine[] = []
  for (let [i, j] = [0, 0]; i < before.length || j < after.length; ) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ kind: 'same', text: before[i]! })
      i += 1
      j += 1
    } else if (j >= after.length || (i < before.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push(removed(before[i++]!))
    } else lines.push(added(after[j++]!))
  }
  return lines
}

/** The length of the longest common lines from each pair of places on. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const [below, right] = [lengths[i + 1]![j]!, lengths[i]![j + 1]!]
      lengths[i]![j] = before[i] === after[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(below, right)
    }
  }
  return lengths
}

/** Replaces the secrets of the file, as they are written in it. */
async function hider({ host, file, before, after }: ConfigChange): Promise<(text: string) => string> {
  const configs = await Promise.all([before ?? '', after].map((text) => readConfigText(text, { host, file })))
  const values = configs.flatMap(({ entries }) =>
    entries.flatMap((entry) => secretsOf(entry).map(({ value }) => value)),
  )
  const written = [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
  const longestFirst = written.filter((value) => value !== '').sort((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((shown, value) => shown.replaceAll(value, '…'), text)
}
