import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { replayServer } from '@tenon/replay'
import { connect, type Implementation, isRpcError, type JsonObject } from '@tenon/sdk/client'
import { connectRaw } from '@tenon/sdk/relay'
import { usage } from '../exit.ts'
import { lists } from '../list/lists.ts'
import { loadSession } from '../replay/session-file.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { collect } from '../values/find-by-name.ts'
import { version } from '../version.ts'

/** The offers of a server that does not run: those of a file, or those of a recording and its answers. */
export interface MockedOffers {
  info: Implementation
  instructions?: string | undefined
  /** Items by the name of their list. */
  items: ReadonlyMap<string, readonly JsonObject[]>
  /** The recorded result of a request, if there is one. */
  recorded?(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined>
  close(): Promise<void>
}

/** Reads a recording, or a JSON file with tools. */
export async function readMocked(file: string, terminal: Terminal): Promise<MockedOffers> {
  return /\.jsonl$/i.test(file) ? await fromRecording(file, terminal) : await fromFile(file, terminal)
}

/** A file with lists: the output of `tenon list --json`, a result of `tools/list`, or tools alone. */
async function fromFile(file: string, { surroundings }: Terminal): Promise<MockedOffers> {
  const text = await readFile(resolve(surroundings.cwd, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usage(error.code === 'ENOENT' ? `There is no file ${file}` : `Cannot read ${file}: ${error.message}`, wanted)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw usage(`${file} is no JSON: ${(error as Error).message}`, wanted)
  }
  const items = itemsIn(value, file)
  const { server } = (isObject(value) ? value : {}) as { server?: { name?: unknown; version?: unknown } }
  const info = { name: textOr(server?.name, 'mock'), version: textOr(server?.version, version) }
  return { info, items, close: async () => {} }
}

const wanted = 'Expected a recording (.jsonl), or JSON such as `tenon list <target> --json` prints.'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other)

/** The member that names an item of each list. */
const names: ReadonlyMap<string, string> = new Map([
  ['tools', 'name'],
  ['resources', 'uri'],
  ['templates', 'uriTemplate'],
  ['prompts', 'name'],
])

/** The lists in the value of a file. */
export function itemsIn(value: unknown, file: string): Map<string, JsonObject[]> {
  const whole = Array.isArray(value)
    ? { tools: value }
    : isObject(value) && isObject(value.result)
      ? value.result
      : value
  if (!isObject(whole)) throw usage(`${file}: expected an object, got ${JSON.stringify(value)?.slice(0, 40)}`, wanted)
  const found = new Map<string, JsonObject[]>()
  for (const [kind, name] of names) {
    const items = kind === 'templates' ? (whole.templates ?? whole.resourceTemplates) : whole[kind]
    if (items === undefined) continue
    if (!Array.isArray(items)) throw usage(`${file}: ${kind}: expected an array`, wanted)
    for (const [index, item] of items.entries()) {
      if (!isObject(item) || typeof item[name] !== 'string') {
        throw usage(`${file}: ${kind}[${index}]: expected an object with ${name}`, wanted)
      }
    }
    found.set(
      kind,
      items.map((item) => complete(kind, item as JsonObject, name)),
    )
  }
  if (found.size === 0) throw usage(`${file} has no tools, resources, templates or prompts`, wanted)
  return found
}

/** A tool written by hand may lack the schema of its arguments, and a resource its name. */
const complete = (kind: string, item: JsonObject, name: string): JsonObject => ({
  name: item[name]!,
  ...item,
  ...(kind === 'tools' && !isObject(item.inputSchema) && { inputSchema: { type: 'object' } }),
})

async function fromRecording(file: string, terminal: Terminal): Promise<MockedOffers> {
  const session = await loadSession(file, terminal)
  const replay = (() => {
    try {
      return replayServer(session)
    } catch (error) {
      throw usage(`${file}: ${(error as Error).message}`)
    }
  })()
  const client = await connect(replay.server)
  const items = new Map<string, JsonObject[]>()
  for (const [kind, { capability, items: list }] of lists) {
    if (!Object.hasOwn(client.server.capabilities, capability)) continue
    // A list that was not recorded is empty.
    items.set(kind, (await collect(list(client)).catch(() => [])) as JsonObject[])
  }
  await client.close()
  const raw = await connectRaw(replay.server)
  const { info = { name: replay.name, version: replay.version }, instructions } = raw.server
  return {
    info,
    instructions,
    items,
    recorded: (method, params, signal) => raw.request(method, params, { signal }).catch(unlessUnrecorded),
    close: () => raw.close(),
  }
}

/** Errors of the recording are answers too; one of the replay says that there is none. */
function unlessUnrecorded(error: unknown): undefined {
  if (isRpcError(error) && isObject(error.data) && Array.isArray(error.data.nearest)) return undefined
  throw error
}
