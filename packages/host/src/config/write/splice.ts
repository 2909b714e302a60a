/** A part of a text, and its replacement. */
export interface Splice {
  start: number
  end: number
  text: string
}

/** The text with all parts replaced; they do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  // From the end, so that earlier offsets stay valid; of two at one place the first comes first in the text.
  const backwards = splices.toReversed().sort((a, b) => b.start - a.start)
  return backwards.reduce(
    (result, { start, end, text: part }) => result.slice(0, start) + part + result.slice(end),
    text,
  )
}

/** The start of the line of an offset. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** The end of the line of an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const [rest = ''] = /^[^\r\n]*/.exec(text.slice(offset)) ?? []
  return offset + rest.length
}

/** The end of the line of an offset, after its line break. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset)
  return end + (/^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0)
}

/** The spaces or tabs at the start of the line of an offset. */
export const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? ''

/** One step of indentation, as the file has it. */
export const indentUnit = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '

export const lineBreakOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** The lines below the first one moved to the right. */
export const indentedBelow = (text: string, indent: string, lineBreak: string): string =>
  text.split('\n').join(`${lineBreak}${indent}`)
