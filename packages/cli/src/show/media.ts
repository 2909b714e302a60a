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

/** The options for images, audio and other bytes. */
export const savingOptions = {
  output: {
    type: 'text',
    short: 'o',
    value: 'file',
    help: 'Save images, audio and other bytes as this file, or in this folder',
  },
  save: {
    type: 'choice',
    choices: ['auto', 'always', 'never'],
    help: 'Save media that the terminal cannot show, all media, or none (auto)',
  },
} as const satisfies OptionTable

export interface Saving {
  output?: string | undefined
  save?: string | undefined
}

/** Shows bytes where the terminal can, and saves them otherwise. */
export async function showMedia(
  { mimeType, data }: Media,
  terminal: Terminal,
  name: string,
  { output, save = 'auto' }: Saving = {},
): Promise<void> {
  const bytes = Buffer.from(data, 'base64')
  const inline = inlineImage(bytes, mimeType.toLowerCase(), terminal.surroundings)
  if (inline !== undefined) terminal.line(inline)
  const about = say`${mimeType}, ${sizeOf(bytes.length)}`
  const isSaved = save !== 'never' && (save === 'always' || output !== undefined || inline === undefined)
  const fate = isSaved
    ? say`, saved as ${await saveBytes(bytes, `${safeName(name)}.${extensionOf(mimeType)}`, output, terminal)}`
    : inline === undefined
      ? ', not saved'
      : ''
  terminal.line(terminal.style.dim(say`[${about}${fate}]`))
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
