import type { ServerInput } from '@tenon/host'
import type { EvalsFile } from '@tenon/host/evals'
import { expandVariables } from '@tenon/replay/files'
import { type Agreement, serverFor, specOf } from '../files/file-servers.ts'
import type { Beside, ManagedServer } from '../servers/managed-server.ts'
import type { Workbench } from '../workbench.ts'
import { serverInput } from './server-input.ts'

interface Watching {
  signal: AbortSignal
  /** A tool was called. */
  sent(call: { server: string; name: string; tool: string; arguments: unknown; row: number }): void
}

/** The servers of an evaluation: each conversation has connections of its own, whose messages are in the timeline. */
export class EvalServers implements AsyncDisposable {
  /** The file as it is run: the servers of it are only named, because the workbench finds them. */
  readonly fileToRun: EvalsFile
  readonly #bench: Workbench
  readonly #file: EvalsFile
  readonly #agreement: Agreement
  readonly #watching: Watching
  readonly #servers = new Map<string, ManagedServer>()
  /** The connections of the last conversation. */
  readonly #open = new Map<string, Beside>()

  constructor(bench: Workbench, file: EvalsFile, agreement: Agreement, watching: Watching) {
    this.#bench = bench
    this.#file = file
    this.#agreement = agreement
    this.#watching = watching
    const named = [...file.servers.keys()].map((name) => [name, { name, config: 'by name' }] as const)
    this.fileToRun = { ...file, servers: new Map(named) }
  }

  /** A server of the file, for the next conversation. */
  async find(name: string): Promise<ServerInput> {
    const server = this.#servers.get(name) ?? this.#server(name)
    this.#servers.set(name, server)
    await this.#agreement.ask(server)
    this.#open.get(name)?.closed()
    const { sent, signal } = this.#watching
    const beside = server.beside(signal, (row) => {
      const call = callIn(this.#bench.timeline.get(row)?.text)
      if (call !== undefined) sent({ server: server.id, name, row, ...call })
    })
    this.#open.set(name, beside)
    return serverInput(beside)
  }

  /** A server of the workbench has its secrets; of others they are in the environment. */
  #server(name: string): ManagedServer {
    const written = this.#file.servers.get(name)!
    const known = serverFor(this.#bench, written)
    return known ?? this.#bench.unlisted(specOf(expandVariables(written, { values: {}, env: process.env })))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const beside of this.#open.values()) beside.closed()
    const own = [...this.#servers.values()].filter((server) => !this.#bench.servers.includes(server))
    await Promise.all(own.map((server) => server.dispose()))
  }
}

/** The tool call in the text of a message. */
function callIn(text: string | undefined): { tool: string; arguments: unknown } | undefined {
  const { method, params = {} } = JSON.parse(text ?? '{}') as { method?: string; params?: { [name: string]: unknown } }
  if (method !== 'tools/call') return undefined
  return { tool: String(params.name), arguments: params.arguments ?? {} }
}
