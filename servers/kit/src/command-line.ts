import { parseArgs } from 'node:util'
import { Misuse } from './misuse.ts'
import type { Setting, SettingDefinitions } from './settings.ts'

/** The command line, not yet checked: values by the name of their setting. */
export interface CommandLine {
  readonly help: boolean
  readonly version: boolean
  readonly config: string | undefined
  readonly given: { readonly [name: string]: unknown }
}

/** `readOnly` is `--read-only`. */
export const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export function readCommandLine(
  args: readonly string[],
  settings: SettingDefinitions,
  positional: string | undefined,
): CommandLine {
  const { values, positionals } = parse(args, settings)
  const given: { [name: string]: unknown } = {}
  for (const [name, setting] of Object.entries(settings)) {
    const value = values[flagOf(name)]
    if (value !== undefined) given[name] = fromFlag(setting, value)
  }
  if (positionals.length > 0) {
    const [first] = positionals
    if (positional === undefined) throw new Misuse(`unexpected argument ${JSON.stringify(first)}`)
    const setting = settings[positional]!
    if (!setting.many && positionals.length > 1) {
      throw new Misuse(
        `expected one argument, got ${positionals.length}: ${JSON.stringify(positionals[1])} is too many`,
      )
    }
    given[positional] = setting.many ? [...((given[positional] as []) ?? []), ...positionals] : first
  }
  return {
    help: values.help === true,
    version: values.version === true,
    config: values.config as string | undefined,
    given,
  }
}

function parse(args: readonly string[], settings: SettingDefinitions): ReturnType<typeof parseArgs> {
  const options = Object.entries(settings).map(
    ([name, { placeholder, many = false }]) =>
      [flagOf(name), { type: placeholder === undefined ? 'boolean' : 'string', multiple: many }] as const,
  )
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        config: { type: 'string' },
        ...Object.fromEntries(options),
      },
    })
  } catch (error) {
    // Node adds advice about `--` in a second sentence; the first one says it all.
    throw new Misuse((error as Error).message.split('. ')[0]!)
  }
}

function fromFlag(setting: Setting, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => setting.fromText(String(one)))
  return typeof value === 'string' ? setting.fromText(value) : value
}
