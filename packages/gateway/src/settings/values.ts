import type { JsonObject } from '@tenon/sdk/client'

/** `500ms`, `30s`, `15m`, `12h`, `7d`. */
export const durationSchema: JsonObject = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,8}(ms|s|m|h|d)$',
  description: 'A duration: 500ms, 30s, 15m, 12h, 7d',
}

const units = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

export function milliseconds(duration: string): number {
  const [, count, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(duration)!
  return Number(count) * units.get(unit!)!
}

/** `1000`, or `64kb`, `10mb`. */
export const bytesSchema: JsonObject = {
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', pattern: '^[1-9][0-9]{0,8}(kb|mb|gb)$' },
  ],
  description: 'A number of bytes: 1000, 64kb, 10mb',
}

export function byteCount(size: number | string): number {
  if (typeof size === 'number') return size
  const [, count, unit] = /^(\d+)(kb|mb|gb)$/.exec(size)!
  return Number(count) * 1024 ** (['kb', 'mb', 'gb'].indexOf(unit!) + 1)
}

/** One text, or several. */
export const textsSchema = (of: JsonObject = { type: 'string', minLength: 1 }, description = ''): JsonObject => ({
  anyOf: [of, { type: 'array', items: of, minItems: 1 }],
  ...(description !== '' && { description }),
})

export const asList = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T])
