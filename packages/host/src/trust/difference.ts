import { visible } from '@tenon/sdk/display'

const maxLines = 200
const maxCompared = 500

/** Pretty JSON with sorted members, in lines; text of its own is shown in its own lines. */
function linesOf(value: unknown): string[] {
  if (value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(sorted(value), null, 2)
  return visible(text).split('\n')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

/** The lines in which two values differ, with `- ` or `+ ` before them; hidden characters are made visible. */
export function differenceOf(before: unknown, after: unknown): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const lines = old.length > maxCompared || fresh.length > maxCompared ? coarse(old, fresh) : changes(old, fresh)
  return lines.length > maxLines ? [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines`] : lines
}

/** Lines that only one of two long texts has. */
function coarse(old: readonly string[], fresh: readonly string[]): string[] {
  const [has, had] = [new Set(fresh), new Set(old)]
  return [
    ...old.filter((line) => !has.has(line)).map((line) => `- ${line}`),
    ...fresh.filter((line) => !had.has(line)).map((line) => `+ ${line}`),
  ]
}

/** The shortest list of changes, by the longest common subsequence. */
function changes(old: readonly string[], fresh: readonly string[]): string[] {
  const width = fresh.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const same = old[i] === fresh[j]
      const [down, right] = [common[(i + 1) * width + j]!, common[i * width + j + 1]!]
      common[i * width + j] = same ? common[(i + 1) * width + j + 1]! + 1 : Math.max(down, right)
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      i++
      j++
    } else if (j === fresh.length || (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      lines.push(`- ${old[i++]}`)
    } else lines.push(`+ ${fresh[j++]}`)
  }
  return lines
}
