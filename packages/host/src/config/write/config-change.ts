import { isDeepStrictEqual } from 'node:util'
import type { ConfigFile } from '../hosts/config-files.ts'
import { formatOf } from '../hosts/detect-host.ts'
import { entryFormats } from '../hosts/entry-formats.ts'
import { hostOf } from '../hosts/hosts.ts'
import type { HostId, InputDefinition, ServerEntry } from '../model.ts'
import { ConfigError, type Problem, type ProblemCode } from '../problem.ts'
import { parseText } from '../read/parse-text.ts'
import { readConfigText } from '../read/read-config.ts'
import { member, memberAt } from '../read/tree.ts'
import { toSnippet } from '../snippet.ts'
import { editText } from './edit-text.ts'
import { readWritable } from './writable-file.ts'

/** A change of a config file that has been worked out, and not yet been written. */
export interface ConfigChange {
  kind: 'add' | 'replace' | 'remove' | 'enable' | 'disable'
  /** The names of the servers. */
  names: string[]
  host: HostId
  /** The host's name for people. */
  title: string
  file: string
  /** The folder of the project that the file belongs to. */
  folder?: string
  /** The text of the file; undefined if there is none yet. */
  before: string | undefined
  after: string
  /** Members that the host cannot express. */
  lost: Problem[]
}

export interface AddOptions {
  /** Another server of that name in the file is replaced. Default: a `ConfigError` with the code `exists`. */
  replace?: boolean
}

/**
 * Works out how servers get into the file of a host. The result is undefined if the file has all of them already.
 * Nothing is written: `writeChange` does that.
 */
export async function planAdd(
  entries: ServerEntry | readonly ServerEntry[],
  place: ConfigFile,
  options: AddOptions = {},
): Promise<ConfigChange | undefined> {
  const { text: before } = await readWritable(place)
  const added: Added[] = []
  let text = before
  for (const entry of [entries].flat()) {
    const one = await addTo(text, entry, place, options)
    if (one === undefined) continue
    text = one.text
    added.push(one)
  }
  const names = added.map(({ name }) => name)
  const kind = added.some(({ isReplaced }) => isReplaced) ? 'replace' : 'add'
  const lost = added.flatMap((one) => one.lost)
  return added.length === 0 ? undefined : change(kind, names, place, before, text!, lost)
}

interface Added {
  name: string
  text: string
  isReplaced: boolean
  lost: Problem[]
}

/** The text with one more server; undefined if it has the same one. */
async function addTo(
  before: string | undefined,
  entry: ServerEntry,
  place: ConfigFile,
  { replace = false }: AddOptions,
): Promise<Added | undefined> {
  const { value, lost } = await toSnippet(entry, place.host)
  const found = await entryNamed(entry.name, place, before)
  const path = found?.source.path ?? (await pathFor(entry.name, place, before))
  const named = typeof path.at(-1) === 'number' ? { name: entry.name, ...value } : value
  if (found && isDeepStrictEqual(await valueAt(before, place, path), named)) return undefined
  if (found && !replace) throw problem('exists', 'there is another server of that name', place, [...path])
  const edited = await located(place, editText(before ?? '', formatOf(place.file), path, named))
  const text = await withInputs(edited, place, entry.inputs)
  await checkRead(entry.name, place, text, true)
  return { name: entry.name, text, isReplaced: found !== undefined, lost }
}

/** Errors about a text name its file. */
const located = <T>({ file }: ConfigFile, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof ConfigError ? new ConfigError({ ...error.problem, file }) : error
  })

/** Works out the file without a server. Throws a `ConfigError` if the file does not have it. */
export async function planRemove(name: string, place: ConfigFile): Promise<ConfigChange> {
  const { text: before } = await readWritable(place)
  const { source } = await expectEntry(name, place, before)
  const after = await located(place, editText(before!, formatOf(place.file), source.path, undefined))
  await checkRead(name, place, after, false)
  return change('remove', [name], place, before, after)
}

/**
 * Works out how a server is switched on or off in its file; undefined if it is already. Throws a `ConfigError` if the host
 * has no member for that.
 */
export async function planSwitch(name: string, place: ConfigFile, on: boolean): Promise<ConfigChange | undefined> {
  const { text: before } = await readWritable(place)
  const { source, disabled = false } = await expectEntry(name, place, before)
  if (disabled !== on) return undefined
  const { switches = [] } = entryFormats[place.host]
  const value = await valueAt(before, place, source.path)
  const chosen = switches.find((candidate) => member(value, candidate.name) !== undefined) ?? switches[0]
  if (chosen === undefined)
    throw problem('unsupported', `${place.title} has no switch in its file; remove the server instead`, place, [name])
  // Without the member a server is on, except where the host wants the member.
  const isNeeded = entryFormats[place.host].constants?.[chosen.name] !== undefined
  const written = on && !isNeeded ? undefined : on ? !chosen.off : chosen.off
  const after = await located(place, editText(before!, formatOf(place.file), [...source.path, chosen.name], written))
  return change(on ? 'enable' : 'disable', [name], place, before, after)
}

const change = (
  kind: ConfigChange['kind'],
  names: string[],
  { host, title, file, folder }: ConfigFile,
  before: string | undefined,
  after: string,
  lost: Problem[] = [],
): ConfigChange => ({ kind, names, host, title, file, ...(folder !== undefined && { folder }), before, after, lost })

const problem = (code: ProblemCode, message: string, { file }: ConfigFile, path: (string | number)[]): ConfigError =>
  new ConfigError({ code, message, file, path })

async function entryNamed(name: string, place: ConfigFile, text: string | undefined): Promise<ServerEntry | undefined> {
  if (text === undefined) return undefined
  const { entries, problems } = await readConfigText(text, { ...place })
  const broken = problems.find(({ code }) => code === 'syntax' || code === 'too_large')
  if (broken) throw new ConfigError(broken)
  // Entries of one project in a file of the user are changed by their host.
  return entries.findLast((entry) => entry.name === name && entry.source.scope === place.scope)
}

async function expectEntry(name: string, place: ConfigFile, text: string | undefined): Promise<ServerEntry> {
  const found = await entryNamed(name, place, text)
  if (found === undefined) throw problem('shape', 'there is no server of that name', place, [name])
  return found
}

/** The path of a new entry: where the file has its servers, or where the host writes them. */
async function pathFor(name: string, { host, file }: ConfigFile, text = ''): Promise<(string | number)[]> {
  const { roots } = entryFormats[host]
  const writable = roots.filter(({ readOnly }) => !readOnly)
  const { value } = await parseText(text, formatOf(file))
  const root = writable.find(({ path }) => memberAt(value, path) !== undefined) ?? writable[0]!
  if (!root.list) return [...root.path, name]
  const list = memberAt(value, root.path)
  return [...root.path, Array.isArray(list) ? list.length : 0]
}

async function valueAt(
  text: string | undefined,
  { file }: ConfigFile,
  path: readonly (string | number)[],
): Promise<unknown> {
  const { value } = await parseText(text ?? '', formatOf(file))
  return path.reduce<unknown>(
    (inner, step) => (Array.isArray(inner) ? inner[Number(step)] : member(inner, String(step))),
    value,
  )
}

/** The inputs that the entry refers to, where the host has them; those of the same id stay. */
async function withInputs(text: string, place: ConfigFile, inputs: readonly InputDefinition[] = []): Promise<string> {
  const { variables } = entryFormats[place.host]
  if (variables !== 'vscode' || inputs.length === 0) return text
  const { value } = await parseText(text, formatOf(place.file))
  const defined = member(value, 'inputs')
  const list: unknown[] = Array.isArray(defined) ? defined : []
  const missing = inputs.filter(({ id }) => !list.some((input) => member(input, 'id') === id))
  let result = text
  for (const [index, input] of missing.entries()) {
    result = await editText(result, formatOf(place.file), ['inputs', list.length + index], input)
  }
  return result
}

/** The host would read the file as planned: a server in the wrong place of the file would silently do nothing. */
async function checkRead(name: string, place: ConfigFile, text: string, isThere: boolean): Promise<void> {
  const found = await entryNamed(name, place, text)
  if ((found !== undefined) !== isThere)
    throw problem('unsupported', `${hostOf(place.host).title} keeps its servers elsewhere in this file`, place, [name])
}
