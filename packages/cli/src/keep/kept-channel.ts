import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerEntry } from '@tenon/host/config'
import type { Channel } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { builtInName } from '../server/built-in.ts'
import { readServers } from '../server/configured.ts'
import type { connectionOptions } from '../server/options.ts'
import { checkOwner, runtimeFolder } from './runtime-folder.ts'
import { identityOf, relationOf, type ServerIdentity, socketOf } from './server-identity.ts'
import { addressOf } from './socket-address.ts'

type Call = CommandCall<typeof connectionOptions>

/** A connection to a server that is kept. */
interface KeptChannel {
  open(): Promise<Channel>
  label: string
  /** The words that are left for the command. */
  words: string[]
}

/** The kept server of a command, if its target is one; options that change the connection want one of their own. */
export async function keptChannel(call: Call, words: readonly string[]): Promise<KeptChannel | undefined> {
  const [name, ...rest] = words
  if (name === undefined || call.command !== undefined || /:\/\//.test(name) || !mayUse(call)) return undefined
  const { surroundings } = call.terminal
  const folder = runtimeFolder(surroundings.env)
  if (!existsSync(folder)) return undefined
  const identity = await identityFor(call, name)
  if (identity === undefined) return undefined
  const relations = new Set(readdirSync(folder).map((socket) => relationOf(socket, identity)))
  if (relations.has('changed') && !relations.has('same')) {
    if (!(await keepAnew(call, name, identity))) return undefined
  } else if (!relations.has('same')) {
    // Its keeper ends: a socket of another version is of no use any more.
    if (relations.has('other version')) await (await import('./control.ts')).KeeperControl.find(surroundings)
    return undefined
  }
  const file = join(folder, socketOf(identity))
  checkOwner(folder)
  checkOwner(file)
  const path = addressOf(file)
  if (path === undefined) return undefined
  const { socketChannel } = await import('@tenon/sdk/socket')
  // A keeper that was killed leaves sockets behind.
  let first: Channel | undefined = await socketChannel({ path }, { signal: call.signal }).catch(() => undefined)
  if (first === undefined) return undefined
  const open = async (): Promise<Channel> => {
    const dialled = first ?? (await socketChannel({ path }))
    first = undefined
    return dialled
  }
  return { open, label: name, words: rest }
}

/** Whether the target of a command is kept, with the entry that it has now. */
export async function isKept(call: Call): Promise<boolean> {
  const [name] = call.words
  const folder = runtimeFolder(call.terminal.surroundings.env)
  if (name === undefined || call.command !== undefined || !existsSync(folder) || !mayUse(call)) return false
  const identity = await identityFor(call, name)
  return identity !== undefined && readdirSync(folder).includes(socketOf(identity))
}

/** Has the server kept with its new entry; false if that cannot be done. */
async function keepAnew(call: Call, name: string, identity: ServerIdentity): Promise<boolean> {
  const { KeeperControl } = await import('./control.ts')
  const { keepServer } = await import('./keep-server.ts')
  const { surroundings } = call.terminal
  await using control = await KeeperControl.find(surroundings, call.signal)
  if (control === undefined) return false
  const kept = (await control.state()).servers.find((server) => server.name === name)
  if (kept?.hasOwnOptions) {
    await control.down(name)
    const text = `${name} was kept with options, and its entry has changed: \`tenon up ${name} …\` keeps it again.`
    call.terminal.note(call.terminal.notes.dim(text))
    return false
  }
  await keepServer(call, name, identity, control)
  return true
}

/** Whether a command may use a kept server: `--fresh` and options of the connection say no, and some commands never do. */
function mayUse({ options }: Call): boolean {
  const { fresh } = options as { fresh?: boolean }
  const { header, ca, insecure, env, input, root, cwd, revision, prefer } = options
  const lists = [header, ca, env, options['env-file'], input, root]
  const own = [cwd, revision, prefer, options['max-message-bytes']]
  const isPlain = lists.every((list) => list.length === 0) && own.every((value) => value === undefined)
  return fresh === false && !insecure && isPlain
}

/** The identity of a server of that name; undefined if no file has it. */
export async function identityFor(call: Call, name: string): Promise<ServerIdentity | undefined> {
  const { findServer } = await import('@tenon/host/config')
  const { config } = call.options
  const { entries } = await readServers(config, call.terminal)
  const entry: ServerEntry | undefined = findServer(entries, name)
  if (entry === undefined && (name !== builtInName || config !== undefined)) return undefined
  return await identityOf(name, entry, call.terminal.surroundings)
}
