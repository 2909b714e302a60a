import type { CallOptions, Client, Prompt, Resource, ResourceTemplate, Tool } from '@tenon/sdk/client'
import { collect } from '../values/find-by-name.ts'

/** The lists of a server, requested once, and again after a change. */
export class Catalog {
  readonly #client: Client
  readonly #options: CallOptions
  readonly #lists = new Map<string, Promise<unknown[]>>()

  constructor(client: Client, options: CallOptions = {}) {
    this.#client = client
    this.#options = options
  }

  tools(): Promise<Tool[]> {
    return this.#list('tools', () => this.#client.tools(this.#options))
  }

  prompts(): Promise<Prompt[]> {
    return this.#list('prompts', () => this.#client.prompts(this.#options))
  }

  resources(): Promise<Resource[]> {
    return this.#list('resources', () => this.#client.resources(this.#options))
  }

  templates(): Promise<ResourceTemplate[]> {
    return this.#list('templates', () => this.#client.resourceTemplates(this.#options))
  }

  /** The server's completions for an argument of a prompt or a variable of a template. */
  async suggest(subject: string, name: string, value: string, others: { [name: string]: string }): Promise<string[]> {
    if (!Object.hasOwn(this.#client.server.capabilities, 'completions')) return []
    const ref = /[{:]/.test(subject)
      ? ({ type: 'ref/resource', uri: subject } as const)
      : ({ type: 'ref/prompt', name: subject } as const)
    const options = { ...this.#options, context: { arguments: others } }
    return (await this.#client.complete(ref, { name, value }, options)).values
  }

  forget(kind: string): void {
    this.#lists.delete(kind)
    if (kind === 'resources') this.#lists.delete('templates')
  }

  /** A server that has no such list, or cannot give it, has nothing to offer. */
  #list<Item>(kind: string, items: () => AsyncIterable<Item>): Promise<Item[]> {
    let list = this.#lists.get(kind) as Promise<Item[]> | undefined
    if (list === undefined) {
      list = collect(items()).catch(() => {
        this.#lists.delete(kind)
        return []
      })
      this.#lists.set(kind, list)
    }
    return list
  }
}
