import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileLock, replaceFile } from '@tenon/sdk/auth'
import { McpError } from '@tenon/sdk/client'
import { type ApprovedPin, type PinStore, pinKey } from './pin-store.ts'

/** Approvals in a file of JSON. It is written as a whole, by one process at a time. */
export function pinFile(path: string): PinStore {
  const file = resolve(path)
  const change = async (work: (pins: ApprovedPin[]) => ApprovedPin[]): Promise<ApprovedPin[]> => {
    await mkdir(dirname(file), { recursive: true })
    return fileLock(join(dirname(file), '.locks')).hold(file, async () => {
      const pins = work(await readPins(file))
      await replaceFile(file, `${JSON.stringify({ version: 1, pins }, null, 2)}\n`)
      return pins
    })
  }
  return {
    read: () => readPins(file),
    async add(pin, isFirst) {
      const key = pinKey(pin)
      const all = await change((pins) => {
        const known = pins.filter((other) => pinKey(other) === key)
        const isKnown = known.some(({ hash }) => hash === pin.hash) || (isFirst && known.length > 0)
        return isKnown ? pins : [...pins, pin]
      })
      return all.filter((other) => pinKey(other) === key)
    },
    async remove(item) {
      await change((pins) => pins.filter((pin) => pinKey(pin) !== pinKey(item)))
    },
  }
}

async function readPins(file: string): Promise<ApprovedPin[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const content = parse(text) as { version?: unknown; pins?: unknown } | undefined
  if (content?.version === 1 && Array.isArray(content.pins) && content.pins.every(isPin)) return content.pins
  throw new McpError(
    'invalid_argument',
    `${file}: expected pins of version 1, each with upstream, kind, name, hash, by and at`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

const isPin = (pin: unknown): pin is ApprovedPin =>
  typeof pin === 'object' &&
  pin !== null &&
  (['upstream', 'kind', 'name', 'hash', 'by', 'at'] as const).every(
    (member) => typeof (pin as { [member: string]: unknown })[member] === 'string',
  )
