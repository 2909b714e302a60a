import { ToolError } from '@tenon/sdk/server'
import type { TextDocument } from './text-document.ts'

export interface LineEdit {
  readonly startLine: number
  readonly endLine: number
  readonly newText: string
}

/** Replaces ranges of lines. All numbers are those of the file as it is before the first edit. */
export function editLines(document: TextDocument, edits: readonly LineEdit[]): void {
  const ordered = [...edits].sort((one, other) => other.startLine - one.startLine)
  const starts = lineStarts(document.text)
  for (const [index, edit] of ordered.entries()) {
    checkRange(edit, starts.length)
    const later = ordered[index - 1]
    if (later !== undefined && edit.endLine >= later.startLine) {
      throw new ToolError(`Lines ${rangeOf(edit)} and ${rangeOf(later)} overlap. Nothing was changed.`)
    }
    replaceLines(document, edit, starts)
  }
}

function checkRange({ startLine, endLine }: LineEdit, count: number): void {
  // One line before the start is the empty range in front of it: an insertion.
  if (endLine >= startLine - 1 && startLine <= count + 1 && endLine <= count) return
  throw new ToolError(
    `Lines ${startLine} to ${endLine}: expected startLine ≤ endLine ≤ ${count}, or endLine = startLine - 1 to insert. ` +
      'Nothing was changed.',
  )
}

function replaceLines(document: TextDocument, edit: LineEdit, starts: readonly number[]): void {
  const { text } = document
  const start = starts[edit.startLine - 1] ?? text.length
  const end = starts[edit.endLine] ?? text.length
  const lines = edit.newText === '' ? '' : withLineFeed(edit.newText)
  const isLast = end === text.length && !text.endsWith('\n')
  const before = start === text.length && text !== '' && !text.endsWith('\n') ? '\n' : ''
  document.replace(start, end, before + (isLast ? lines.replace(/\n$/, '') : lines))
}

const rangeOf = ({ startLine, endLine }: LineEdit): string => `${startLine}–${endLine}`

const withLineFeed = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)

/** Where each line begins. A line feed at the end of the text begins no further line. */
export function lineStarts(text: string): number[] {
  const starts = text === '' ? [] : [0]
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1)
  }
  return starts
}
