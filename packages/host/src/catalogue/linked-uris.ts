import type { ContentBlock } from '@tenon/sdk/client'

/** How many links of one server are kept. The oldest go first. */
const maxLinks = 1_000

/** The resources that servers named in their results. Reading them tells a server nothing that it does not know. */
export class LinkedUris {
  readonly #uris = new Map<string, Set<string>>()

  note(server: string, content: readonly ContentBlock[]): void {
    for (const block of content) {
      if (block.type === 'resource_link') this.#add(server, block.uri)
      else if (block.type === 'resource') this.#add(server, block.resource.uri)
    }
  }

  has(server: string, uri: string): boolean {
    return this.#uris.get(server)?.has(uri) === true
  }

  forget(server: string): void {
    this.#uris.delete(server)
  }

  #add(server: string, uri: string): void {
    const uris = this.#uris.get(server) ?? new Set()
    this.#uris.set(server, uris)
    uris.delete(uri)
    uris.add(uri)
    if (uris.size > maxLinks) for (const oldest of uris) return void uris.delete(oldest)
  }
}
