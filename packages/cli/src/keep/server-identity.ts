import type { ServerEntry } from '@tenon/host/config'
import { version } from '../version.ts'
import { shortHash } from './short-hash.ts'

/** The identity of a kept server, of which the name of its socket is made: its name, its entry, and the version of this command. */
export interface ServerIdentity {
  /** The name on the command line. */
  name: string
  /** Changes with the entry, and with the variables that it refers to. */
  entry: string
}

/** The identity of an entry; inputs stay as they are written, because they are asked for only once. */
export async function identityOf(
  name: string,
  entry: ServerEntry | undefined,
  where: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<ServerIdentity> {
  if (entry === undefined) return { name, entry: 'built in' }
  const { expand } = await import('@tenon/host/config')
  const { transport, timeoutMs, source } = await expand(entry, where)
  return { name, entry: JSON.stringify([source.file, transport, timeoutMs]) }
}

const versionMark = shortHash(version).slice(0, 6)

/** The name of the socket of a server. */
export const socketOf = ({ name, entry }: ServerIdentity): string =>
  `${shortHash(name)}-${shortHash(entry)}-${versionMark}.sock`

/** The relation of a socket to a server: its own, that of an older entry or of another version, or none. */
export function relationOf(socket: string, identity: ServerIdentity): 'same' | 'changed' | 'other version' | undefined {
  if (socket === socketOf(identity)) return 'same'
  const [name, , mark] = socket.replace(/\.sock$/, '').split('-')
  if (name !== shortHash(identity.name)) return undefined
  return mark === versionMark ? 'changed' : 'other version'
}

/** The socket on which the keeper itself is spoken to. */
export const keeperSocket = 'keeper.sock'
