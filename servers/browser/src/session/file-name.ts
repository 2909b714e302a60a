import { lstatSync } from 'node:fs'
import { extname, join } from 'node:path'

const maxBytes = 150
/** Names that are devices on Windows, whatever follows them. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** A name that a site chose, made safe: no folders, control characters, hidden files or names of devices. */
export function safeFileName(suggested: string): string {
  const plain = suggested
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
    .replace(/[\\/:*?"<>|%]/g, '_')
    .replace(/^[\s.\-~]+|[\s.]+$/g, '')
  const name = plain === '' || devices.test(plain) ? `download-${plain}`.replace(/-$/, '') : plain
  return withinBytes(name)
}

function withinBytes(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const extension = Buffer.byteLength(extname(name)) <= 20 ? extname(name) : ''
  let stem = name.slice(0, name.length - extension.length)
  while (Buffer.byteLength(stem + extension) > maxBytes) stem = [...stem].slice(0, -1).join('')
  return stem + extension
}

/** A path in a folder that no file has yet: `report.pdf`, `report (2).pdf`, … */
export function freePath(folder: string, name: string): string {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let number = 1; ; number++) {
    const path = join(folder, number === 1 ? name : `${stem} (${number})${extension}`)
    // A link that leads nowhere has the name, too.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path
  }
}
