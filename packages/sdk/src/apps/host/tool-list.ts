import type { Tool } from '../../model/tools.ts'
import type { AppClient } from './app-client.ts'

// Visibility of tools can change, and not every server sends a notification.
const freshMs = 5_000

/** The tools of a server by name, for as long as they can be relied upon. */
export class ToolList {
  readonly #client: Pick<AppClient, 'tools'>
  #tools: Promise<ReadonlyMap<string, Tool>> | undefined
  #asked = 0

  constructor(client: Pick<AppClient, 'tools'>) {
    this.#client = client
  }

  async find(name: string): Promise<Tool | undefined> {
    if (this.#tools === undefined || performance.now() - this.#asked > freshMs) {
      this.#asked = performance.now()
      this.#tools = this.#collect()
    }
    return (await this.#tools).get(name)
  }

  async #collect(): Promise<ReadonlyMap<string, Tool>> {
    try {
      const tools = new Map<string, Tool>()
      for await (const tool of this.#client.tools()) tools.set(tool.name, tool)
      return tools
    } catch (error) {
      this.#tools = undefined
      throw error
    }
  }
}
