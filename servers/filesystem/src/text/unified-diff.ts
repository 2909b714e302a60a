import { createTwoFilesPatch } from 'diff'

/** A diff for people is of use only while it is short, and finding a long one takes quadratic time. */
const limits = { timeout: 500, maxEditLength: 20_000 }

/** A unified diff in a fenced block. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const diff =
    createTwoFilesPatch(path, path, before, after, 'original', 'modified', { context: 4, ...limits }) ??
    `(the files differ in too many lines to show them: ${before.length} characters before, ${after.length} after)\n`
  const fence = fenceFor(diff)
  return `${fence}diff\n${diff}${fence}\n\n`
}

function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length))
  return '`'.repeat(longest + 1)
}
