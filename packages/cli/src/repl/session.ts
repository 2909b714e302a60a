import type { ChangeKind, Client, ConnectOptions, Watch } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { Catalog } from '../complete/catalog.ts'
import { openServer, type SharedServer } from '../server/connect.ts'
import type { connectionOptions } from '../server/options.ts'
import { showLog } from '../show/log.ts'
import { type Part, say } from '../terminal/text.ts'

type ReplCall = CommandCall<typeof connectionOptions>

/** One connection that many lines use, and can be made again. */
export class ReplSession {
  readonly #call: ReplCall
  readonly #extra: ConnectOptions
  #connected: (SharedServer & { catalog: Catalog }) | undefined
  readonly #watches = new Map<string, Watch>()

  constructor(call: ReplCall, extra: ConnectOptions = {}) {
    this.#call = call
    this.#extra = extra
  }

  /** The connection; undefined while there is none. */
  get connected(): (SharedServer & { catalog: Catalog }) | undefined {
    return this.#connected
  }

  async connect(): Promise<void> {
    const { terminal } = this.#call
    const connected = await openServer(this.#call, {
      ...this.#extra,
      onLog: (message) => this.#tell(showLog(message, terminal.notes), { log: message }),
    })
    const { client } = connected
    const catalog = new Catalog(client)
    this.#connected = { ...connected, catalog }
    // A script gets no notes about lists.
    if (terminal.canAsk) this.#follow(client, catalog)
    client.closed.then((reason) => {
      if (this.#connected?.client !== client) return
      this.#connected = undefined
      this.#watches.clear()
      const { red } = terminal.notes
      terminal.warn(say`${red('The connection ended:')} ${reason.message}`)
    })
  }

  /** Requests the lists whose changes are announced, to show the difference later. */
  #follow(client: Client, catalog: Catalog): void {
    for (const kind of ['tools', 'resources', 'prompts'] as const) {
      if (!client.server.capabilities[kind]?.listChanged) continue
      void names(kind, catalog)
      client.onChange(kind, () => void this.#changed(kind, catalog))
    }
  }

  async close(): Promise<void> {
    const connected = this.#connected
    this.#connected = undefined
    this.#watches.clear()
    await connected?.client.close()
  }

  /** Shows updates of a resource from now on. */
  async watch(uri: string): Promise<void> {
    if (this.#watches.has(uri)) return
    const watch = await this.#connected!.client.watch(uri, (update) =>
      this.#tell(`${update.uri} has changed`, { updated: update.uri }),
    )
    this.#watches.set(uri, watch)
  }

  /** Ends one watch, or all; answers how many. */
  async unwatch(uri: string | undefined): Promise<number> {
    const ended = [...this.#watches].filter(([watched]) => uri === undefined || watched === uri)
    for (const [watched, watch] of ended) {
      this.#watches.delete(watched)
      await watch.close()
    }
    return ended.length
  }

  /** Notes the new and the removed items of a list. */
  async #changed(kind: ChangeKind, catalog: Catalog): Promise<void> {
    const before = await names(kind, catalog)
    catalog.forget(kind)
    const after = await names(kind, catalog)
    const added = after.filter((name) => !before.includes(name)).map((name) => `+${name}`)
    const removed = before.filter((name) => !after.includes(name)).map((name) => `-${name}`)
    const difference = [...added, ...removed]
    const shown = difference.length === 0 ? '' : `: ${difference.slice(0, 10).join(' ')}`
    this.#tell(`The ${kind} have changed${shown}`, { changed: kind, difference })
  }

  #tell(text: Part, event: { [member: string]: unknown }): void {
    const { terminal } = this.#call
    this.#call.event({ event }, () => terminal.note(say`${terminal.notes.dim('●')} ${text}`))
  }
}

const names = async (kind: ChangeKind, catalog: Catalog): Promise<string[]> =>
  kind === 'tools'
    ? (await catalog.tools()).map(({ name }) => name)
    : kind === 'prompts'
      ? (await catalog.prompts()).map(({ name }) => name)
      : (await catalog.resources()).map(({ uri }) => uri)
