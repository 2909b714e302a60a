import { mkdir, stat, writeFile } from 'node:fs/promises'
import { extname, join, relative, resolve } from 'node:path'
import { usage } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import { inlineImage } from './inline-image.ts'

interface Media {
  mimeType: string
  data: string
}

/** The option for images, audio and other bytes. */
export const savingOptions = {
  save: {
    type: 'text',
    value: 'folder',
    help: 'Save images, audio and other bytes in this folder',
  },
} as const satisfies OptionTable

export interface Saving {
  /** The folder for it. */
  save?: string | undefined
  /** How the user can have it saved. */
  option?: '--save folder' | '--output file'
}

/** Shows bytes where the terminal can, and saves them where that was asked for. */
export async function showMedia(
  { mimeType, data }: Media,
  terminal: Terminal,
  name: string,
  { save, option }: Saving = {},
): Promise<void> {
  const bytes = Buffer.from(data, 'base64')
  const inline = inlineImage(bytes, mimeType.toLowerCase(), terminal.surroundings)
  if (inline !== undefined) terminal.line(inline)
  const file = `${safeName(name)}.${extensionOf(mimeType)}`
  const kept = save === undefined ? undefined : await saveBytes(bytes, file, `${save}/`, terminal)
  const fate = kept !== undefined ? `, saved as ${kept}` : option && !inline ? `; ${option} saves it` : ''
  const about = say`[${mimeType}, ${sizeOf(bytes.length)}${fate}]`
  // A file or a program gets the text of a result, and nothing about the rest.
  if (terminal.isRead) terminal.line(terminal.style.dim(about))
  else terminal.note(terminal.notes.dim(about))
}

/** Writes a file that was not there before; answers its name as seen from here. */
export async function saveBytes(
  bytes: Buffer | string,
  name: string,
  output: string | undefined,
  terminal: Terminal,
): Promise<string> {
  const { cwd } = terminal.surroundings
  const place = resolve(cwd, output ?? '.')
  const isFolder =
    output === undefined || /[\\/]$/.test(output) || (await stat(place).catch(() => undefined))?.isDirectory()
  if (isFolder) await mkdir(place, { recursive: true })
  const wanted = isFolder ? join(place, name) : place
  const extension = extname(wanted)
  for (let number = 1; number <= 10_000; number++) {
    const file = number === 1 ? wanted : `${wanted.slice(0, wanted.length - extension.length)}-${number}${extension}`
    try {
      // Fails where a file, or a link, has the name already.
      await writeFile(file, bytes, { flag: 'wx' })
      return relative(cwd, file) || file
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw usage(`Cannot write ${file}: ${message}`)
    }
  }
  throw usage(`There are too many files named like ${wanted}`)
}

const extensions = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['application/pdf', 'pdf'],
  ['application/json', 'json'],
  ['text/plain', 'txt'],
])

const extensionOf = (mimeType: string): string => extensions.get(mimeType.split(';')[0]!.trim().toLowerCase()) ?? 'bin'

// The name comes from a server: no folders, no hidden files, no surprises.
export const safeName = (name: string): string =>
  name
    .replace(/[^\w.-]+/g, '_')
    .replace(/^[.-]+/, '')
    .slice(0, 80) || 'output'

/** A size as people say it. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
