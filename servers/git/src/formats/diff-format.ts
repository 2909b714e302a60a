import { z } from 'zod'

/** A patch as data. A page of a long patch may begin or end within a file. */
export interface FileDiff {
  path: string
  old_path?: string | undefined
  status: 'added' | 'deleted' | 'modified' | 'renamed' | 'copied'
  binary: boolean
  hunks: Hunk[]
}

interface Hunk {
  old_start: number
  old_lines: number
  new_start: number
  new_lines: number
  /** The enclosing function or heading, as git guesses it. */
  section: string
  /** With ` `, `+` or `-` in front, as in the patch. */
  lines: string[]
}

export const fileDiffSchema: z.ZodType<FileDiff> = z.object({
  path: z.string(),
  old_path: z.string().optional(),
  status: z.enum(['added', 'deleted', 'modified', 'renamed', 'copied']),
  binary: z.boolean(),
  hunks: z.array(
    z.object({
      old_start: z.int(),
      old_lines: z.int(),
      new_start: z.int(),
      new_lines: z.int(),
      section: z.string(),
      lines: z.array(z.string()).describe('With " ", "+" or "-" in front'),
    }),
  ),
})

/** Reads a patch line by line. Lines that are not on the page are followed, but not kept. */
export class DiffReader {
  readonly #files = new Set<FileDiff>()
  #file: FileDiff | undefined
  #hunk: Hunk | undefined
  #oldLeft = 0
  #newLeft = 0

  read(line: string, isOnPage: boolean): void {
    if (this.#oldLeft > 0 || this.#newLeft > 0 || line.startsWith('\\')) this.#readBody(line, isOnPage)
    else if (line.startsWith('diff --git ')) this.#begin(line)
    else if (line.startsWith('@@ ')) this.#beginHunk(line)
    else this.#readHeader(line)
    if (isOnPage && this.#file) this.#files.add(this.#file)
  }

  /** The files that have a line on the page. */
  get files(): FileDiff[] {
    return [...this.#files]
  }

  #begin(line: string): void {
    this.#hunk = undefined
    this.#file = { path: pathOfHeader(line), status: 'modified', binary: false, hunks: [] }
  }

  #beginHunk(line: string): void {
    const [, oldStart, oldLines = '1', newStart, newLines = '1', section] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line) ?? []
    if (oldStart === undefined) return
    this.#oldLeft = Number(oldLines)
    this.#newLeft = Number(newLines)
    this.#hunk = {
      old_start: Number(oldStart),
      old_lines: this.#oldLeft,
      new_start: Number(newStart),
      new_lines: this.#newLeft,
      section: section!,
      lines: [],
    }
  }

  #readBody(line: string, isOnPage: boolean): void {
    const sign = line[0]
    if (sign !== '+' && sign !== '\\') this.#oldLeft--
    if (sign !== '-' && sign !== '\\') this.#newLeft--
    if (!isOnPage || !this.#hunk || !this.#file) return
    // A hunk belongs to the page with its first line.
    if (this.#hunk.lines.length === 0) this.#file.hunks.push(this.#hunk)
    this.#hunk.lines.push(line)
  }

  #readHeader(line: string): void {
    const file = this.#file
    if (file === undefined) return
    const [, key, value] =
      /^(new file mode|deleted file mode|rename from|rename to|copy from|copy to|---|\+\+\+|Binary files)(?: (.*))?$/s.exec(
        line,
      ) ?? []
    if (key === 'new file mode') file.status = 'added'
    else if (key === 'deleted file mode') file.status = 'deleted'
    else if (key === 'Binary files') file.binary = true
    else if (key === 'rename from' || key === 'copy from') {
      file.old_path = unquote(value!)
      file.status = key === 'rename from' ? 'renamed' : 'copied'
    } else if (key === 'rename to' || key === 'copy to') file.path = unquote(value!)
    else if (key === '+++' && value !== '/dev/null') file.path = withoutPrefix(unquote(value!))
    else if (key === '---' && value !== '/dev/null' && file.status === 'deleted')
      file.path = withoutPrefix(unquote(value!))
  }
}

const withoutPrefix = (path: string): string => path.replace(/\t$/, '').slice(2)

/** Both halves of `a/x b/x` are the same where no later line names the path: modes and empty files. */
function pathOfHeader(line: string): string {
  const names = line.slice('diff --git '.length)
  if (names.startsWith('"')) return withoutPrefix(unquote(/^"(?:\\.|[^"\\])*"/.exec(names)?.[0] ?? names))
  return names.slice(2, (names.length - 1) / 2)
}

const escapes = new Map([
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['v', 11],
])

/** Reads a name that git wrote in quotes, as in C. */
export function unquote(name: string): string {
  if (!name.startsWith('"')) return name
  const bytes: Buffer[] = []
  for (const [, plain, octal, letter] of name.slice(1, -1).matchAll(/([^\\]+)|\\(?:([0-7]{3})|(.))/gs)) {
    if (plain !== undefined) bytes.push(Buffer.from(plain))
    else
      bytes.push(
        Buffer.from([
          octal === undefined ? (escapes.get(letter!) ?? letter!.charCodeAt(0)) : Number.parseInt(octal, 8),
        ]),
      )
  }
  return Buffer.concat(bytes).toString('utf8')
}
