import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, type ConnectOptions, connect } from '@tenon/sdk/client'
import { afterEach } from 'vitest'
import type { ChatEvent } from '../../src/chat.ts'
import type { HostTool, Toolbox } from '../../src/toolbox.ts'

/** A toolbox of connected clients, without consent. */
export async function toolboxOf(clients: { [server: string]: Client }): Promise<Toolbox> {
  const tools: HostTool[] = []
  for (const [server, client] of Object.entries(clients)) {
    for await (const tool of client.tools()) tools.push({ name: `${server}__${tool.name}`, server, tool })
  }
  tools.sort((one, other) => (one.name < other.name ? -1 : 1))
  return {
    tools,
    callTool(name, args, { callId: _callId, ...options } = {}) {
      const { server, tool } = tools.find((tool) => tool.name === name)!
      return clients[server]!.callTool(tool.name, args, options)
    },
    readResource: (server, uri, options) => clients[server]!.readResource(uri, options),
  }
}

export const workshopFile: string = fileURLToPath(new URL('../servers/workshop.mjs', import.meta.url))

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** A folder that is gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-chat-'))
  endings.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The workshop in a process of its own. */
export async function startWorkshop(options: ConnectOptions = {}): Promise<{ toolbox: Toolbox; log(): string[] }> {
  const file = join(newFolder(), 'log')
  const env = { WORKSHOP_LOG: file }
  const client = await connect({ command: process.execPath, args: [workshopFile], env }, options)
  endings.push(() => client.close())
  return {
    toolbox: await toolboxOf({ shop: client }),
    log() {
      try {
        return readFileSync(file, 'utf8').split('\n').filter(Boolean)
      } catch {
        return []
      }
    },
  }
}

/** A toolbox without a server, for tests of the model's side. */
export const emptyToolbox: Toolbox = {
  tools: [],
  callTool: () => Promise.reject(new Error('there are no tools')),
  readResource: () => Promise.reject(new Error('there are no resources')),
}

export async function allOf(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const list: ChatEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

export const ofType = <Type extends ChatEvent['type']>(
  events: readonly ChatEvent[],
  type: Type,
): Extract<ChatEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<ChatEvent, { type: Type }> => event.type === type)

export const textIn = (events: readonly ChatEvent[]): string =>
  ofType(events, 'text')
    .map(({ text }) => text)
    .join('')
