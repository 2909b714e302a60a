import { usage } from '../exit.ts'

const units = new Map([
  ['', 1],
  ['k', 1024],
  ['m', 1024 ** 2],
  ['g', 1024 ** 3],
])

/** Bytes from `500000`, `64M` or `1GiB`. */
export function parseSize(option: string, text: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([kmg])?(?:i?b)?$/i.exec(text) ?? []
  const bytes = Math.floor(Number(digits) * units.get(unit.toLowerCase())!)
  if (bytes > 0 && Number.isSafeInteger(bytes)) return bytes
  throw usage(`--${option}: expected a number of bytes such as 500000, 64M or 1G, got ${JSON.stringify(text)}`)
}
