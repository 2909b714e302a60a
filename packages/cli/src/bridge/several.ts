import type { Bridge } from '@tenon/bridge'
import { createServer, type Server } from '@tenon/sdk/server'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { say } from '../terminal/text.ts'
import { version } from '../version.ts'
import { type bridgeOptions, openBridge } from './open.ts'

type Call = CommandCall<typeof bridgeOptions>

/** Several servers as one. */
export interface ServedServers {
  readonly server: Server
  /** Their names. */
  readonly label: string
  close(): Promise<void>
}

/** A server, as the command line names it. */
interface Member {
  /** Before the names of its tools and prompts. */
  prefix: string
  name: string
  /** The word that finds it. */
  target: string
}

/** Opens a bridge to every server that the words name, and mounts all of them into one. */
export async function openServers(call: Call): Promise<ServedServers> {
  const members = readMembers(call.words)
  const links: Bridge[] = []
  const close = async (): Promise<void> => void (await Promise.all(links.map((link) => link.close())))
  const server = createServer({
    name: 'tenon',
    version,
    onError: teller(call),
  })
  try {
    for (const { prefix, target } of members) {
      const { link } = await openBridge(call, {}, [target])
      links.push(link)
      server.mount(link.server, { prefix })
    }
  } catch (error) {
    await close()
    throw error
  }
  return { server, label: members.map(({ name }) => name).join(', '), close }
}

/** Reads `name` and `name=url` words. */
export function readMembers(words: readonly string[]): Member[] {
  if (words.length === 0) throw usage('Expected the names of servers', 'For example: tenon serve everything')
  const members = words.map(readMember)
  const seen = new Map<string, string>()
  for (const { prefix, name } of members) {
    const other = seen.get(prefix)
    if (other !== undefined) {
      const both =
        other === name ? `${JSON.stringify(name)} is named twice` : `${other} and ${name} both become ${prefix}`
      throw usage(both, 'Give one another name: name=url, or another name in the config file.')
    }
    seen.set(prefix, name)
  }
  return members
}

function readMember(word: string): Member {
  const [, given, url] = /^([\w.-]+)=((?:https?|wss?):\/\/.*)$/i.exec(word) ?? []
  if (given === undefined && /^(?:https?|wss?):\/\//i.test(word)) {
    throw usage(`${word} needs a name, for its tools`, `For example: docs=${word}`)
  }
  const name = given ?? word
  // Models take letters, digits, _ and - only.
  return { prefix: `${name.replace(/[^A-Za-z0-9_-]/g, '_')}__`, name, target: url ?? word }
}

/** Says once what does not fit together, such as one URI of two servers, or a server that is down. */
function teller({ terminal }: Call): (error: unknown) => void {
  const told = new Set<string>()
  return (error) => {
    const message = error instanceof Error ? error.message : String(error)
    if (told.has(message) || told.size >= 1_000) return
    told.add(message)
    terminal.warn(say`${terminal.notes.yellow('warning:')} ${message}`)
  }
}
