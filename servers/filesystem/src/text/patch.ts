import { ToolError } from '@tenon/sdk/server'
import { parsePatch, type StructuredPatchHunk } from 'diff'
import type { TextDocument } from './text-document.ts'

const maxShownPlaces = 20

/** Applies a unified diff of one file. A hunk lies where it says, or in the only other place that fits. */
export function applyPatch(document: TextDocument, patch: string): void {
  let shift = 0
  for (const [index, hunk] of readHunks(patch).entries()) {
    const lines = document.text.split('\n')
    const [before, after] = sidesOf(hunk)
    const at = findPlace(lines, before, expectedLine(hunk) + shift, index + 1)
    replaceHunk(document, lines, at, before, after)
    shift += at - (expectedLine(hunk) + shift) + after.length - before.length
  }
}

function readHunks(patch: string): StructuredPatchHunk[] {
  const files = parse(patch.replaceAll('\r\n', '\n'))
  if (files.length !== 1) throw new ToolError(`Expected a unified diff of one file, got ${files.length} files`)
  const { hunks } = files[0]!
  if (hunks.length === 0) throw new ToolError('Expected a unified diff with hunks: lines such as "@@ -1,3 +1,4 @@"')
  return hunks
}

function parse(patch: string): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(patch)
  } catch (error) {
    throw new ToolError(`The patch is not a unified diff: ${(error as Error).message}`)
  }
}

/** The line that a hunk begins on, from 0. The parser counts a hunk without old lines from the line after it. */
const expectedLine = ({ oldStart }: StructuredPatchHunk): number => Math.max(0, oldStart - 1)

function sidesOf({ lines }: StructuredPatchHunk): [before: string[], after: string[]] {
  const of = (signs: string): string[] =>
    lines.filter(([sign = '']) => signs.includes(sign)).map((line) => line.slice(1))
  return [of(' -'), of(' +')]
}

function findPlace(lines: readonly string[], wanted: readonly string[], expected: number, number: number): number {
  const fits = (at: number): boolean => at >= 0 && wanted.every((line, index) => lines[at + index] === line)
  if (fits(expected) && expected <= lines.length) return expected
  const places = wanted.length === 0 ? [] : [...lines.keys()].filter(fits)
  if (places.length === 1) return places[0]!
  if (places.length === 0) {
    throw new ToolError(
      `Hunk ${number} fits nowhere; its lines are not in the file. Nothing was changed. It looks for:\n${wanted.join('\n')}`,
    )
  }
  const shown = places.slice(0, maxShownPlaces).map((place) => place + 1)
  throw new ToolError(
    `Hunk ${number} does not fit on line ${expected + 1}, and fits on lines ${shown.join(', ')}. Nothing was changed. ` +
      'Make the patch again from the file as it is.',
  )
}

function replaceHunk(
  document: TextDocument,
  lines: readonly string[],
  at: number,
  before: readonly string[],
  after: readonly string[],
): void {
  const start = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0)
  if (before.length === 0) {
    const isPastEnd = start > document.text.length
    const place = Math.min(start, document.text.length)
    document.replace(place, place, isPastEnd ? `\n${after.join('\n')}` : `${after.join('\n')}\n`)
    return
  }
  const old = before.join('\n')
  const isWhole = after.length === 0 && document.text[start + old.length] === '\n'
  document.replace(start, start + old.length + (isWhole ? 1 : 0), after.join('\n'))
}
