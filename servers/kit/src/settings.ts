import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/**
 * One setting of a program: a flag on the command line, a member of the config file and, if it has a name there, a
 * variable of the environment.
 */
export interface Setting<T = unknown> {
  /** The line of `--help`. */
  readonly summary: string
  /** The placeholder of the value in `--help`; a switch has none. */
  readonly placeholder?: string
  readonly env?: string
  /** The value never appears in messages. */
  readonly secret?: boolean
  /** The flag may be repeated; its values form a list. */
  readonly many?: boolean
  /** Checks the value of the config file, and the value that `fromText` made. Undefined becomes the default. */
  readonly schema: z.ZodType<T>
  /** Reads the value of a flag or a variable. Anything that it cannot read is left to `schema`, which names the fault. */
  fromText(text: string): unknown
  /** Completes a checked value with the folder that it is relative to. */
  locate?(value: T, folder: string): T
}

// biome-ignore lint/suspicious/noExplicitAny: the type of each setting is kept by inference
export type SettingDefinitions = { readonly [name: string]: Setting<any> }

export type SettingsOf<S extends SettingDefinitions> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never
}

interface Named {
  env?: string
  placeholder?: string
}

const asIs = (value: string): string => value

/** A switch, off unless it is given. */
export function toggle(summary: string, options: { env?: string } = {}): Setting<boolean> {
  const fromText = (given: string): unknown => booleans.get(given.toLowerCase()) ?? given
  return { ...options, summary, schema: z.boolean().default(false), fromText }
}

const booleans = new Map([
  ...['', '1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
])

export function text(summary: string, options: Named & { secret?: boolean } = {}): Setting<string | undefined> {
  return { placeholder: 'TEXT', ...options, summary, schema: z.string().min(1).optional(), fromText: asIs }
}

/** A list of texts: the flag may be repeated. */
export function texts(summary: string, options: Named = {}): Setting<readonly string[]> {
  const schema = z.array(z.string().min(1)).readonly().default([])
  return { placeholder: 'TEXT', ...options, summary, many: true, schema, fromText: asIs }
}

export function choice<const T extends string>(
  summary: string,
  options: Named & { values: readonly [T, ...T[]]; default: NoInfer<T> },
): Setting<T> {
  const { values, default: fallback, ...named } = options
  const schema = z.enum(values).default(fallback as never) as unknown as z.ZodType<T>
  return { placeholder: values.join('|'), ...named, summary: withDefault(summary, fallback), schema, fromText: asIs }
}

export function integer(
  summary: string,
  options: Named & { min?: number; max?: number; default: number },
): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, default: fallback, ...named } = options
  const schema = z.int().min(min).max(max).default(fallback)
  const fromText = (given: string): unknown => (/^-?\d{1,15}$/.test(given) ? Number(given) : given)
  return { placeholder: 'N', ...named, summary: withDefault(summary, String(fallback)), schema, fromText }
}

/** A size: `500`, `64kB`, `10MB`, `2GB`. */
export function bytes(summary: string, options: Named & { default: number }): Setting<number> {
  return withUnits(
    summary,
    'SIZE',
    { '': 1, B: 1, kB: 1e3, KB: 1e3, KiB: 2 ** 10, MB: 1e6, MiB: 2 ** 20, GB: 1e9, GiB: 2 ** 30 },
    options,
  )
}

/** A duration, in milliseconds: `500ms`, `30s`, `5m`; a bare number counts seconds. */
export function milliseconds(summary: string, options: Named & { default: number }): Setting<number> {
  return withUnits(summary, 'TIME', { '': 1000, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }, options, longestTimerMs)
}

/** Timers fire at once for a longer time. */
const longestTimerMs = 2 ** 31 - 1

function withUnits(
  summary: string,
  placeholder: string,
  units: { [unit: string]: number },
  { default: fallback, ...named }: Named & { default: number },
  most: number = Number.MAX_SAFE_INTEGER,
): Setting<number> {
  const known = new Map(Object.entries(units))
  const read = (given: string): number | undefined => {
    const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)\s?([A-Za-z]*)$/.exec(given) ?? []
    const factor = known.get(unit)
    return digits === undefined || factor === undefined ? undefined : Math.round(Number(digits) * factor)
  }
  const example = [...known.keys()].filter((unit) => unit !== '').map((unit) => `10${unit}`)
  const schema = z.preprocess(
    (value) => (typeof value === 'string' ? (read(value) ?? value) : value),
    z
      .int(`expected a whole number, or a text like ${example.slice(0, 3).join(', ')}`)
      .min(1)
      .max(most)
      .default(fallback),
  ) as unknown as z.ZodType<number>
  return { placeholder, ...named, summary: withDefault(summary, shortest(fallback, known)), schema, fromText: asIs }
}

const withDefault = (summary: string, value: string): string => `${summary} (default ${value})`

/** Writes a value with its largest unit that divides it: 2000 is `2kB`. */
function shortest(value: number, units: ReadonlyMap<string, number>): string {
  const fitting = [...units].filter(([unit, factor]) => unit !== '' && value % factor === 0)
  const [unit, factor] = fitting.sort(([, a], [, b]) => b - a)[0]!
  return `${value / factor}${unit}`
}

/** A file or folder. In a config file it is relative to that file, on the command line to the working folder. */
export function path(summary: string, options: Named = {}): Setting<string | undefined> {
  return { placeholder: 'PATH', ...text(summary, options), locate: (value, folder) => value && absolute(value, folder) }
}

export function paths(summary: string, options: Named = {}): Setting<readonly string[]> {
  const locate = (value: readonly string[], folder: string): string[] => value.map((one) => absolute(one, folder))
  return { ...texts(summary, { placeholder: 'PATH', ...options }), locate }
}

const absolute = (given: string, folder: string): string =>
  given === '~' || given.startsWith('~/') ? join(homedir(), given.slice(1)) : resolve(folder, given)
