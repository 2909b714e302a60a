import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { nearest } from '@tenon/sdk/display'
import { compileSchema, type SchemaIssue } from '@tenon/sdk/schema'
import { defaultSections } from '../sections/sections.ts'
import { problemsOf } from './check.ts'
import type { GatewayConfig } from './model.ts'
import { parseYaml } from './parse-yaml.ts'
import { type ConfigProblem, GatewayConfigError } from './problem.ts'
import { gatewaySchema } from './schema.ts'
import type { ConfigSection, GatewayParts, PartsContext } from './section.ts'
import { fillIn } from './variables.ts'

export interface LoadConfigOptions {
  /** The sections that the file may have, besides `listen`, `upstreams` and `servers`. */
  readonly sections?: readonly ConfigSection[]
  /** The variables of `${env:NAME}`. Default: those of the process. */
  readonly env?: { readonly [name: string]: string | undefined }
}

/** A configuration that can be used. */
export interface LoadedConfig {
  readonly config: GatewayConfig
  /** The folder where relative paths begin. */
  readonly folder: string
  /** The settings of a section; undefined if the file has none. */
  settingsOf(section: string): unknown
  /** Makes the parts of the gateway that the sections provide. */
  parts(): Promise<GatewayParts>
}

/** Reads a configuration file. Throws a `GatewayConfigError` with everything that is wrong, and where. */
export async function loadGatewayConfig(file: string, options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const path = resolve(file)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new GatewayConfigError([{ path: [], message: `cannot be read: ${error.code ?? error.message}` }], file)
  })
  return readGatewayConfig(text, dirname(path), { ...options, file })
}

/** The same for a text. */
export function readGatewayConfig(
  text: string,
  folder: string,
  { sections = defaultSections, env = process.env, file }: LoadConfigOptions & { readonly file?: string } = {},
): LoadedConfig {
  const { value, problems: syntax, find } = parseYaml(text)
  const problems: ConfigProblem[] = [...syntax]
  const tell = (path: ConfigProblem['path'], message: string): void =>
    void problems.push({ path, message, ...find(path) })
  const fail = (): void => {
    if (problems.length > 0) throw new GatewayConfigError(problems, file)
  }
  fail()
  const filled = filledIn(value, sections, { env, folder }, tell)
  const schema = gatewaySchema(sections)
  for (const issue of compileSchema(schema).validate(filled)) tell(issue.path, wordsFor(issue, schema))
  fail()
  const given = { ...(filled as GatewayConfig & { [section: string]: unknown }) }
  delete given.$schema
  for (const problem of problemsOf(given)) tell(problem.path, problem.message)
  const settings = sections.map((section) => ({
    section,
    settings: parsed(section, given[section.name], folder, tell),
  }))
  fail()
  const settingsOf = (name: string): unknown => settings.find(({ section }) => section.name === name)?.settings
  const parts = (): Promise<GatewayParts> => partsOf(settings, { folder, config: given, settingsOf })
  return { config: given, folder, settingsOf, parts }
}

function parsed(
  section: ConfigSection,
  value: unknown,
  folder: string,
  tell: (path: ConfigProblem['path'], message: string) => void,
): unknown {
  if (value === undefined) return undefined
  try {
    return section.parse(value, { folder, tell: (path, message) => tell([section.name, ...path], message) })
  } catch (error) {
    tell([section.name], (error as Error).message)
    return undefined
  }
}

/** The parts of all sections together; a later section goes before an earlier one. */
async function partsOf(
  all: readonly { readonly section: ConfigSection; readonly settings: unknown }[],
  place: PartsContext,
): Promise<GatewayParts> {
  const made: GatewayParts[] = []
  const close = async (): Promise<void> => void (await Promise.all(made.map((parts) => parts.close?.())))
  try {
    for (const { section, settings } of all) {
      if (section.parts !== undefined) made.push(await section.parts(settings, place))
    }
  } catch (error) {
    await close()
    throw error
  }
  return { ...Object.assign({}, ...made), close }
}

/** The value with its variables, but for sections that fill in their own. */
function filledIn(
  value: unknown,
  sections: readonly ConfigSection[],
  sources: Parameters<typeof fillIn>[1],
  tell: (path: ConfigProblem['path'], message: string) => void,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const own = new Set(sections.filter(({ fillsIn }) => fillsIn).map(({ name }) => name))
  const entries = Object.entries(value)
  const others = fillIn(Object.fromEntries(entries.filter(([name]) => !own.has(name))), sources, tell)
  return { ...(others as object), ...Object.fromEntries(entries.filter(([name]) => own.has(name))) }
}

/** The words for a fault that the schema found. Values are left out: they may be secrets. */
function wordsFor({ path, message, keyword }: SchemaIssue, schema: unknown): string {
  const name = path.at(-1)
  if (keyword === 'type') return message
  if (keyword !== 'additionalProperties' || typeof name !== 'string') return message.replace(/, got .*$/s, '')
  const around = schemaAt(schema, path.slice(0, -1))
  const known = Object.keys((around as { properties?: object } | undefined)?.properties ?? {})
  const near = nearest(name, new Set(known))
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are ${known.join(', ')}.`
  return known.length === 0 ? 'is not known' : `is not known. ${hint}`
}

function schemaAt(schema: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, step) => {
    const {
      properties = {},
      additionalProperties,
      items,
    } = (at ?? {}) as {
      properties?: { [name: string]: unknown }
      additionalProperties?: unknown
      items?: unknown
    }
    if (typeof step === 'number') return items
    return Object.hasOwn(properties, step) ? properties[step] : additionalProperties
  }, schema)
}
