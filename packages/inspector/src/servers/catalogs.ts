import type { Client } from '@tenon/sdk/client'
import { toProblem } from '../problem.ts'
import type { Catalog, CatalogItems, CatalogKind, Catalogs, ServerCapabilities } from '../protocol.ts'

// A server that lists without end must not fill the page.
const maxItems = 20_000

const needs: { [Kind in CatalogKind]: keyof ServerCapabilities } = {
  tools: 'tools',
  resources: 'resources',
  templates: 'resources',
  prompts: 'prompts',
}
export const catalogKinds: readonly CatalogKind[] = ['tools', 'resources', 'templates', 'prompts']

const sources: { [Kind in CatalogKind]: (client: Client) => AsyncIterable<CatalogItems[Kind]> } = {
  tools: (client) => client.tools({ fresh: true }),
  resources: (client) => client.resources({ fresh: true }),
  templates: (client) => client.resourceTemplates({ fresh: true }),
  prompts: (client) => client.prompts({ fresh: true }),
}

/** The tools, resources and prompts of a server, as it listed them last. */
export class ServerCatalogs {
  #known: Catalogs = {}
  readonly #publish: (catalog: Catalog) => void
  /** A list that is asked for while it is being read is read once more. */
  readonly #reading = new Map<CatalogKind, { again: boolean }>()

  constructor(publish: (catalog: Catalog) => void) {
    this.#publish = publish
  }

  get known(): Catalogs {
    return this.#known
  }

  /** Reads the lists of the server, and again after each notification of a change. */
  follow(client: Client): void {
    for (const kind of catalogKinds) void this.read(client, kind)
    const { capabilities } = client.server
    for (const kind of ['tools', 'resources', 'prompts'] as const) {
      if (capabilities[kind]?.listChanged !== true) continue
      client.onChange(kind, () => {
        void this.read(client, kind)
        if (kind === 'resources') void this.read(client, 'templates')
      })
    }
  }

  async read(client: Client, kind: CatalogKind): Promise<void> {
    const current = this.#reading.get(kind)
    if (current !== undefined) {
      current.again = true
      return
    }
    const reading = { again: true }
    this.#reading.set(kind, reading)
    while (reading.again) {
      reading.again = false
      await this.#readOnce(client, kind)
    }
    this.#reading.delete(kind)
  }

  async #readOnce<Kind extends CatalogKind>(client: Client, kind: Kind): Promise<void> {
    const before = (this.#known[kind]?.items ?? []) as CatalogItems[Kind][]
    if (client.server.capabilities[needs[kind]] === undefined) return this.#keep({ kind, items: [] })
    this.#keep({ kind, items: before, loading: true })
    try {
      const items: CatalogItems[Kind][] = []
      for await (const item of sources[kind](client)) {
        items.push(item)
        if (items.length === maxItems) break
      }
      this.#keep({ kind, items })
    } catch (error) {
      this.#keep({ kind, items: before, problem: toProblem(error) })
    }
  }

  #keep<Kind extends CatalogKind>(catalog: Catalog<Kind>): void {
    this.#known = { ...this.#known, [catalog.kind]: catalog }
    this.#publish(catalog as unknown as Catalog)
  }
}
