import { ToolError } from '@tenon/sdk/server'
import { lineAt, type TextDocument } from './text-document.ts'

export interface TextEdit {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll?: boolean | undefined
}

const maxShownPlaces = 20

/** Applies an edit. A text that is not there, or there more than once, is refused with the places. */
export function replaceText(document: TextDocument, edit: TextEdit, ignoreWhitespace: boolean): void {
  const oldText = edit.oldText.replaceAll('\r\n', '\n')
  if (oldText === '')
    throw new ToolError('oldText is empty. Give the text to replace, or use edit_lines to insert lines.')
  const places = placesOf(document.text, oldText)
  if (places.length > 1 && !edit.replaceAll) throw ambiguous(document.text, oldText, places)
  if (places.length > 0) {
    // From the end, so that the places before stay right.
    for (const start of places.reverse()) document.replace(start, start + oldText.length, edit.newText)
  } else if (ignoreWhitespace) replaceLoosely(document, oldText, edit.newText)
  else throw notFound(document.text, oldText)
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) places.push(at)
  return places
}

function ambiguous(text: string, oldText: string, places: readonly number[]): ToolError {
  const lines = places.slice(0, maxShownPlaces).map((place) => lineAt(text, place))
  const shown = lines.join(', ') + (places.length > maxShownPlaces ? ', …' : '')
  return new ToolError(
    `oldText occurs ${places.length} times, on lines ${shown}. Nothing was changed. Add lines around it until it occurs ` +
      `once, or set replaceAll to replace every one:\n${oldText}`,
  )
}

function notFound(text: string, oldText: string): ToolError {
  const [similar] = loosePlaces(text, oldText)
  const hint =
    similar === undefined
      ? 'Read the file again: it may have changed.'
      : `Line ${similar.line} on differs in whitespace only; set ignoreWhitespace to accept that.`
  return new ToolError(`Could not find exact match for edit. ${hint} Nothing was changed.\n${oldText}`)
}

interface LoosePlace {
  /** From 1. */
  readonly line: number
  readonly start: number
  readonly end: number
}

/** The places where the lines are the same but for whitespace at their ends. */
function loosePlaces(text: string, oldText: string): LoosePlace[] {
  const wanted = oldText.replace(/\n$/, '').split('\n').map(trimmed)
  const lines = text.split('\n')
  const compared = lines.map(trimmed)
  const places: LoosePlace[] = []
  let start = 0
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    if (wanted.every((line, index) => compared[at + index] === line)) {
      const length = lines.slice(at, at + wanted.length).join('\n').length
      places.push({ line: at + 1, start, end: start + length })
    }
    start += lines[at]!.length + 1
  }
  return places
}

function replaceLoosely(document: TextDocument, oldText: string, newText: string): void {
  const places = loosePlaces(document.text, oldText)
  const [place] = places
  if (place === undefined) throw notFound(document.text, oldText)
  if (places.length > 1) {
    throw ambiguous(
      document.text,
      oldText,
      places.map(({ start }) => start),
    )
  }
  const found = document.text.slice(place.start, place.end)
  const wanted = newText.replaceAll('\r\n', '\n')
  const replacement = oldText.endsWith('\n') ? wanted.replace(/\n$/, '') : wanted
  document.replace(place.start, place.end, indentLike(replacement, oldText, found))
}

/** Moves the new lines by as much as the found lines stand further in than the old ones. */
function indentLike(newText: string, oldText: string, found: string): string {
  const from = indentOf(oldText)
  const to = indentOf(found)
  if (from === to) return newText
  return newText
    .split('\n')
    .map((line) => (trimmed(line) === '' ? line : line.startsWith(from) ? to + line.slice(from.length) : line))
    .join('\n')
}

const indentOf = (text: string): string => /^[\t ]*/.exec(text)![0]

const trimmed = (line: string): string => line.trim()
