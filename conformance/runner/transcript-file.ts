import type { FixtureKind } from '../fixture-server.ts'

/** A line of a transcript. `broken` marks intended faults of the client. */
export type Line =
  | { kind: 'comment'; text: string }
  | { kind: 'client'; text: string; broken: boolean }
  | { kind: 'server'; text: string }

const brokenMark = '#! not valid in this revision'

/** Reads a transcript, comments included. */
export function parseLines(text: string): Line[] {
  const lines: Line[] = []
  let broken = false
  for (const [index, line] of text.split('\n').entries()) {
    if (line === brokenMark) broken = true
    else if (line.startsWith('#')) lines.push({ kind: 'comment', text: line.slice(1).trim() })
    else if (line.startsWith('> ')) {
      lines.push({ kind: 'client', text: line.slice(2), broken })
      broken = false
    } else if (line.startsWith('< ')) lines.push({ kind: 'server', text: line.slice(2) })
    else if (line.trim() !== '') throw new SyntaxError(`line ${index + 1}: expected "> ", "< " or "#", got ${line}`)
  }
  return lines
}

/** Writes a transcript; a blank line goes before each comment that follows messages. */
export function formatLines(lines: readonly Line[]): string {
  return lines
    .map((line, index) => {
      if (line.kind === 'server') return `< ${line.text}\n`
      if (line.kind === 'client') return `${line.broken ? `${brokenMark}\n` : ''}> ${line.text}\n`
      return `${index > 0 && lines[index - 1]?.kind !== 'comment' ? '\n' : ''}# ${line.text}\n`
    })
    .join('')
}

const servers = new Map<string, FixtureKind>([
  ['server: empty', 'empty'],
  ['server: modern-only', 'modern-only'],
  ['server: legacy-only', 'legacy-only'],
])

/** The server that a transcript was recorded with: its first line may name one. */
export const serverOf = (lines: readonly Line[]): FixtureKind => servers.get(lines[0]?.text ?? '') ?? 'everything'
