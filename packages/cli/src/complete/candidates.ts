import type { JsonSchema } from '@tenon/sdk/client'
import { loggingLevels } from '@tenon/sdk/client'
import type { OptionSpec, OptionTable } from '../line/options.ts'
import { resolveReference } from '../values/typed-value.ts'
import type { Catalog } from './catalog.ts'
import { fileCandidates } from './files.ts'
import { valueCandidates } from './values.ts'

/** Something to complete: the command, the words between it and the cursor, and the word at the cursor. */
interface Completing {
  command: string
  words: readonly string[]
  current: string
  options: OptionTable
  cwd: string
}

type Subject = (completing: Completing, catalog: Catalog) => Promise<string[]>

/** The completions of each command's words, from the features of the server. */
const subjects = new Map<string, Subject>([
  ['call', completeCall],
  ['prompt', completePrompt],
  ['read', completeRead],
  ['watch', async ({ words }, catalog) => without(await uris(catalog), words)],
  ['unwatch', async ({ words }, catalog) => without(await uris(catalog), words)],
  ['complete', completeComplete],
  ['list', async ({ words }) => without(['tools', 'resources', 'templates', 'prompts'], words)],
  ['tasks', async ({ words }) => (words.length === 0 ? ['list', 'get', 'result', 'cancel', 'update'] : [])],
  ['log', async ({ words }) => (words.length === 0 ? [...loggingLevels] : [])],
])

/** Candidates for the word at the cursor; those that do not begin like it are left out. */
export async function candidates(completing: Completing, catalog: Catalog): Promise<string[]> {
  const { command, words, current, options } = completing
  const option = optionBefore(words, options)
  const found = option
    ? await optionValues(option, completing, catalog)
    : current.startsWith('-') && current !== '-'
      ? Object.keys(options).map((name) => `--${name}`)
      : ((await subjects.get(command)?.({ ...completing, words: withoutOptions(words, options) }, catalog)) ?? [])
  return [...new Set(found)].filter((candidate) => candidate.startsWith(current))
}

/** The option whose value is at the cursor. */
export function optionBefore(words: readonly string[], options: OptionTable): string | undefined {
  const last = words.at(-1)
  if (last === undefined || !last.startsWith('-') || last.includes('=')) return undefined
  const name = Object.entries(options).find(([name, { short }]) => last === `--${name}` || last === `-${short}`)?.[0]
  return name === undefined || !takesNext(options[name]!) ? undefined : name
}

/** Whether the value of an option is the next word. */
const takesNext = (spec: OptionSpec): boolean =>
  spec.type !== 'flag' && !(spec.type === 'text' && spec.alone !== undefined)

/** The words that are neither options nor their values. */
export function withoutOptions(words: readonly string[], options: OptionTable): string[] {
  const kept: string[] = []
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') && word !== '-') continue
    if (optionBefore(words.slice(0, index), options) === undefined) kept.push(word)
  }
  return kept
}

async function optionValues(
  option: string,
  { options, current, cwd }: Completing,
  catalog: Catalog,
): Promise<string[]> {
  const spec = options[option]!
  if (spec.type === 'choice') return [...spec.choices]
  if (option === 'tool') return (await catalog.tools()).map(({ name }) => name)
  const isPath = 'value' in spec && /file|folder|answer/.test(spec.value ?? '')
  return isPath ? await fileCandidates(current, cwd) : []
}

async function completeCall(completing: Completing, catalog: Catalog): Promise<string[]> {
  const [name, ...given] = completing.words
  const tools = await catalog.tools()
  if (name === undefined) return tools.map((tool) => tool.name)
  const schema = tools.find((tool) => tool.name === name)?.inputSchema
  return schema ? await completeArguments(schema, given, completing) : []
}

async function completeArguments(
  schema: JsonSchema,
  given: readonly string[],
  { current, cwd }: Completing,
): Promise<string[]> {
  const [, name, value] = /^([^=]+?):?=(.*)$/s.exec(current) ?? []
  if (name !== undefined) {
    const start = current.slice(0, current.length - value!.length)
    const values = value!.startsWith('@')
      ? (await fileCandidates(value!.slice(1), cwd)).map((file) => `@${file}`)
      : valueCandidates(schema, name)
    return values.map((candidate) => `${start}${candidate}`)
  }
  if (current.startsWith('@')) return (await fileCandidates(current.slice(1), cwd)).map((file) => `@${file}`)
  const names = Object.keys((resolveReference(schema, schema)?.properties as object | undefined) ?? {})
  return unassigned(names, given)
}

async function completePrompt(completing: Completing, catalog: Catalog): Promise<string[]> {
  const [name, ...given] = completing.words
  const prompts = await catalog.prompts()
  if (name === undefined) return prompts.map((prompt) => prompt.name)
  const known = prompts.find((prompt) => prompt.name === name)?.arguments ?? []
  return await suggested(
    name,
    known.map((argument) => argument.name),
    given,
    completing,
    catalog,
  )
}

async function completeRead(completing: Completing, catalog: Catalog): Promise<string[]> {
  const [uri, ...given] = completing.words
  if (uri === undefined) {
    return [...(await uris(catalog)), ...(await catalog.templates()).map((template) => template.uriTemplate)]
  }
  return await suggested(uri, variablesOf(uri), given, completing, catalog)
}

async function completeComplete(completing: Completing, catalog: Catalog): Promise<string[]> {
  const [subject] = completing.words
  const prompts = await catalog.prompts()
  if (subject === undefined) {
    const templates = (await catalog.templates()).map((template) => template.uriTemplate)
    return [...prompts.map(({ name }) => name), ...templates]
  }
  const known = prompts.find(({ name }) => name === subject)?.arguments?.map(({ name }) => name)
  return (known ?? variablesOf(subject)).map((name) => `${name}=`)
}

/** Names with `=`, and after that the values that the server suggests. */
async function suggested(
  subject: string,
  names: readonly string[],
  given: readonly string[],
  { current }: Completing,
  catalog: Catalog,
): Promise<string[]> {
  const equals = current.indexOf('=')
  if (equals < 0) return unassigned(names, given)
  const name = current.slice(0, equals)
  const others = Object.fromEntries(given.map((word) => /^([^=:]+)=(.*)$/s.exec(word)?.slice(1) ?? []).filter(isPair))
  const values = await catalog.suggest(subject, name, current.slice(equals + 1), others)
  return values.map((value) => `${name}=${value}`)
}

const isPair = (parts: string[]): parts is [string, string] => parts.length === 2

const unassigned = (names: readonly string[], given: readonly string[]): string[] =>
  names.filter((name) => !given.some((word) => /^[^=:]+/.exec(word)?.[0] === name)).map((name) => `${name}=`)

const without = (all: readonly string[], given: readonly string[]): string[] =>
  all.filter((one) => !given.includes(one))

const uris = async (catalog: Catalog): Promise<string[]> => (await catalog.resources()).map(({ uri }) => uri)

/** The names in a URI template: `{a}`, `{?b,c*}`. */
const variablesOf = (template: string): string[] =>
  [...template.matchAll(/\{[+#./;?&]?([^}]*)\}/g)].flatMap(([, list]) =>
    list!.split(',').map((name) => name.replace(/[*:].*$/, '')),
  )
