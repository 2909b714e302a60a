import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Terminal } from '../terminal/terminal.ts'
import { visibleLine } from '../terminal/visible.ts'

interface Media {
  mimeType: string
  data: string
}

/** Saves bytes beside the command, and says where. */
export async function showMedia({ mimeType, data }: Media, terminal: Terminal, name: string): Promise<void> {
  const bytes = Buffer.from(data, 'base64')
  const file = `${safeName(name)}.${extensionOf(mimeType)}`
  await mkdir(terminal.surroundings.cwd, { recursive: true })
  await writeFile(join(terminal.surroundings.cwd, file), bytes)
  terminal.line(terminal.style.dim(`[${visibleLine(mimeType)}, ${sizeOf(bytes.length)}, saved as ${file}]`))
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
const safeName = (name: string): string =>
  name
    .replace(/[^\w.-]+/g, '_')
    .replace(/^[.-]+/, '')
    .slice(0, 80) || 'output'

/** A size as people say it. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
