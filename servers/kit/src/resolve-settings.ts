import { dirname } from 'node:path'
import type { z } from 'zod'
import { flagOf } from './command-line.ts'
import { Misuse } from './misuse.ts'
import type { Setting, SettingDefinitions, SettingsOf } from './settings.ts'

/** Where settings come from. The first source that has a setting decides. */
export interface SettingSources {
  readonly commandLine: { readonly [name: string]: unknown }
  readonly environment: { readonly [name: string]: string | undefined }
  readonly config: { readonly file: string; readonly values: { readonly [name: string]: unknown } } | undefined
  readonly workingFolder: string
}

/** Finds the value of every setting and checks it. A wrong one throws a `Misuse` that names its place. */
export function resolveSettings<S extends SettingDefinitions>(definitions: S, sources: SettingSources): SettingsOf<S> {
  refuseUnknown(definitions, sources.config)
  const resolved = Object.entries(definitions).map(([name, setting]) => [name, resolveOne(name, setting, sources)])
  return Object.fromEntries(resolved) as SettingsOf<S>
}

function refuseUnknown(definitions: SettingDefinitions, config: SettingSources['config']): void {
  // Editors complete the file if it names its schema.
  const unknown = Object.keys(config?.values ?? {}).find(
    (name) => name !== '$schema' && !Object.hasOwn(definitions, name),
  )
  if (unknown === undefined) return
  const known = Object.keys(definitions).join(', ')
  throw new Misuse(`${config!.file}: unknown setting ${JSON.stringify(unknown)}; there are ${known}`)
}

function resolveOne(name: string, setting: Setting, sources: SettingSources): unknown {
  const { commandLine, environment, config, workingFolder } = sources
  if (Object.hasOwn(commandLine, name)) return check(setting, commandLine[name], `--${flagOf(name)}`, workingFolder)
  const variable = setting.env === undefined ? undefined : environment[setting.env]
  if (variable !== undefined && variable !== '') {
    const value = setting.many ? variable.split(',').map((one) => one.trim()) : setting.fromText(variable)
    return check(setting, value, setting.env!, workingFolder)
  }
  if (config !== undefined && Object.hasOwn(config.values, name)) {
    return check(setting, config.values[name], `${config.file}: ${name}`, dirname(config.file))
  }
  return check(setting, undefined, `--${flagOf(name)}`, workingFolder)
}

function check(setting: Setting, value: unknown, place: string, folder: string): unknown {
  const result = setting.schema.safeParse(value)
  if (!result.success) throw new Misuse(`${place}: ${problemOf(result.error, setting, value)}`)
  return setting.locate === undefined ? result.data : setting.locate(result.data, folder)
}

function problemOf(error: z.ZodError, { secret }: Setting, value: unknown): string {
  const { path, message } = error.issues[0]!
  const expected = message.replace(/^(Invalid|Too)[^:]*: /, '').replace(/, received .*$/, '')
  const at = path.length === 0 ? '' : ` (at ${path.join('.')})`
  return `${expected}${at}${secret ? '' : `, got ${JSON.stringify(value)}`}`
}
