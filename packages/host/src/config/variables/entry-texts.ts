import { entryFormats } from '../hosts/entry-formats.ts'
import type { AuthHints, ServerEntry, Transport } from '../model.ts'
import { type Syntax, syntaxes } from './syntaxes.ts'

type Path = readonly (string | number)[]

/** A text of an entry in which there may be variables, and where it is. */
interface EntryText {
  path: Path
  text: string
}

/** How variables are written in an entry. */
export const syntaxOf = ({ source }: ServerEntry): Syntax => syntaxes[entryFormats[source.host].variables]

/** Every text of an entry that can contain variables. */
export function textsOf(entry: ServerEntry): EntryText[] {
  const found: EntryText[] = []
  mapTexts(entry, (text, path) => {
    found.push({ text, path })
    return text
  })
  return found
}

/** A copy of an entry with other texts. */
export function mapTexts(entry: ServerEntry, map: (text: string, path: Path) => string): ServerEntry {
  const transport = mapTransport(entry.transport, map)
  const auth = entry.auth && mapAuth(entry.auth, map)
  return { ...entry, transport, ...(auth && { auth }) }
}

function mapTransport(transport: Transport, map: (text: string, path: Path) => string): Transport {
  if (transport.kind !== 'stdio') {
    return { ...transport, url: map(transport.url, ['url']), headers: mapRecord(transport.headers, 'headers', map) }
  }
  const { command, args, env, cwd, envFile } = transport
  return {
    ...transport,
    command: map(command, ['command']),
    args: args.map((arg, index) => map(arg, ['args', index])),
    env: mapRecord(env, 'env', map),
    ...(cwd !== undefined && { cwd: map(cwd, ['cwd']) }),
    ...(envFile !== undefined && { envFile: map(envFile, ['envFile']) }),
  }
}

const mapRecord = (
  record: Record<string, string>,
  member: string,
  map: (text: string, path: Path) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, text]) => [name, map(text, [member, name])]))

function mapAuth(auth: AuthHints, map: (text: string, path: Path) => string): AuthHints {
  const mapped: AuthHints = { ...auth }
  for (const name of ['clientId', 'clientSecret', 'metadataUrl', 'resource'] as const) {
    const text = auth[name]
    if (text !== undefined) mapped[name] = map(text, ['auth', name])
  }
  if (auth.scopes) mapped.scopes = auth.scopes.map((scope, index) => map(scope, ['auth', 'scopes', index]))
  return mapped
}
