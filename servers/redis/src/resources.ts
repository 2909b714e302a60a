import {
  type Resource,
  type ResourceReturn,
  resource,
  resourceTemplate,
  type ServerResource,
  type ServerResourceTemplate,
  ToolError,
} from '@tenon/sdk/server'
import type { Database } from './database.ts'
import { escapeGlob } from './glob.ts'
import { binaryKeyTemplate, keyTemplate, keyUri } from './key-uri.ts'
import type { KeyWatches } from './key-watches.ts'
import { readKeyContents } from './readers/key-contents.ts'
import { scanKeys } from './scan-keys.ts'
import { infoSections, readServerInfo } from './server-info.ts'
import { isText } from './value.ts'

const maxListed = 100
const maxSuggestions = 100
/** Nobody waits longer for a suggestion. */
const maxSuggestionMs = 500

/** Keys as resources: listed, completed, read in pages and watched. */
export function redisResources(database: Database, watches: KeyWatches): (ServerResource | ServerResourceTemplate)[] {
  const read = (key: Buffer, cursor: string | undefined, signal: AbortSignal): Promise<ResourceReturn> =>
    // A key that may not be read does not exist, for whoever asks.
    database.keyspace.allows(key) ? readKeyContents(database, key, cursor, signal) : Promise.resolve(undefined)
  return [
    resource({
      uri: 'redis://info',
      name: 'info',
      title: 'Redis',
      description: 'Version, memory, clients, statistics and numbers of keys',
      mimeType: 'application/json',
      read: async () => JSON.stringify(await readServerInfo(database, infoSections), null, 2),
    }),
    resourceTemplate({
      uriTemplate: keyTemplate,
      name: 'key',
      title: 'Key',
      description: 'A string as it is, anything else as JSON, in pages (?cursor=…); subscribe to hear of changes',
      complete: { key: (typed, _others, { signal }) => suggest(database, typed, signal) },
      list: ({ signal }) => list(database, signal),
      read: ({ variables: { key, cursor } }, { signal }) => read(Buffer.from(key), cursor, signal),
      watch: ({ uri, variables: { key } }) => watches.begin(Buffer.from(key), uri),
    }),
    resourceTemplate({
      uriTemplate: binaryKeyTemplate,
      name: 'binary-key',
      title: 'Key that is not text',
      description: 'The same for a key whose name is not text, given in base64url',
      read: ({ variables: { base64, cursor } }, { signal }) => read(Buffer.from(base64, 'base64url'), cursor, signal),
      watch: ({ uri, variables: { base64 } }) => watches.begin(Buffer.from(base64, 'base64url'), uri),
    }),
  ]
}

/** The first keys. Without Redis the list is empty: reading one of them tells why. */
async function list(database: Database, signal: AbortSignal): Promise<Resource[]> {
  const keys = await firstKeys(database, '*', maxListed, signal)
  return keys.map((key) => ({ uri: keyUri(key), name: isText(key) ? key.toString() : key.toString('base64') }))
}

async function suggest(database: Database, typed: string, signal: AbortSignal): Promise<string[]> {
  const keys = await firstKeys(database, `${escapeGlob(typed)}*`, maxSuggestions, signal)
  const names = new Set(keys.filter(isText).map((key) => key.toString()))
  return [...names].sort()
}

async function firstKeys(database: Database, pattern: string, limit: number, signal: AbortSignal): Promise<Buffer[]> {
  try {
    const { items } = await scanKeys(database, { pattern, limit, signal, maxMs: maxSuggestionMs })
    return items.slice(0, limit)
  } catch (error) {
    if (error instanceof ToolError) return []
    throw error
  }
}
