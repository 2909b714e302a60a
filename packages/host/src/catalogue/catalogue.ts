import type { Prompt, Resource, ResourceTemplate, Tool } from '@tenon/sdk/client'
import { anyOf } from '../consent/patterns.ts'
import type { HostTool } from '../toolbox.ts'
import { lookAlikesAmong } from './look-alikes.ts'
import { modelName } from './model-name.ts'
import type { ServerLists } from './server-lists.ts'
import { cleanDefinition, type Warning, warningsOf } from './warnings.ts'

/** A resource of a server. */
export interface HostResource {
  readonly server: string
  readonly resource: Resource
}

/** A resource template of a server. */
export interface HostTemplate {
  readonly server: string
  readonly template: ResourceTemplate
}

/** A prompt of a server. */
export interface HostPrompt {
  readonly server: string
  readonly prompt: Prompt
}

/** A tool of the catalogue, whether it may be listed or not. */
export interface CatalogueTool extends HostTool {
  readonly warnings: readonly Warning[]
  /** The definition with every character that the server sent. */
  readonly sent: Tool
}

/** The part of one server. */
interface Shelf {
  readonly tools: readonly CatalogueTool[]
  readonly lists: ServerLists
}

interface ToolPatterns {
  allow?: readonly string[]
  deny?: readonly string[]
}

/** The tools, resources, templates and prompts of all servers, in memory. */
export class Catalogue {
  readonly #shelves = new Map<string, Shelf>()
  #tools: ReadonlyMap<string, CatalogueTool> | undefined
  #collisions: readonly string[] = []
  #servers: ReadonlyMap<string, string> = new Map()

  /** The names of all servers of the configuration, for look-alikes among them. */
  set servers(names: readonly string[]) {
    this.#servers = lookAlikesAmong(names)
    this.#tools = undefined
  }

  /** Servers that look like another one, each with that one. */
  get lookAlikes(): ReadonlyMap<string, string> {
    return this.#servers
  }

  /** Puts the lists of a server into place of those before. */
  set(server: string, lists: ServerLists, filter: ToolPatterns = {}): void {
    const isAllowed = filter.allow === undefined ? () => true : anyOf(filter.allow)
    const isDenied = anyOf(filter.deny ?? [])
    const used = lists.tools.filter(({ name }) => isAllowed(name) && !isDenied(name))
    const twins = lookAlikesAmong([...new Set(used.map(({ name }) => name))])
    const tools = used.map((sent) => toolOf(server, sent, twins.get(sent.name)))
    this.#shelves.set(server, { tools, lists })
    this.#tools = undefined
  }

  delete(server: string): void {
    this.#shelves.delete(server)
    this.#tools = undefined
  }

  /** The tools by the name that models see, sorted, without those whose names collide. */
  get tools(): ReadonlyMap<string, CatalogueTool> {
    this.#tools ??= this.#merge()
    return this.#tools
  }

  /** The names that several tools have. None of them can be called. */
  get collisions(): readonly string[] {
    void this.tools
    return this.#collisions
  }

  warningsOfServer(server: string): Warning[] {
    const twin = this.#servers.get(server)
    if (twin === undefined) return []
    return [{ code: 'look_alike', message: `the name of the server looks like ${JSON.stringify(twin)}` }]
  }

  get resources(): HostResource[] {
    return this.#all(({ resources }, server) => resources.map((resource) => ({ server, resource })))
  }

  get templates(): HostTemplate[] {
    return this.#all(({ templates }, server) => templates.map((template) => ({ server, template })))
  }

  get prompts(): HostPrompt[] {
    return this.#all(({ prompts }, server) => prompts.map((prompt) => ({ server, prompt })))
  }

  #all<Item>(items: (lists: ServerLists, server: string) => Item[]): Item[] {
    return [...this.#shelves].flatMap(([server, { lists }]) => items(lists, server))
  }

  #merge(): ReadonlyMap<string, CatalogueTool> {
    const all = [...this.#shelves.values()].flatMap(({ tools }) => tools)
    const found = new Map<string, CatalogueTool>()
    const collisions = new Set<string>()
    for (const tool of all) {
      if (found.has(tool.name)) collisions.add(tool.name)
      else found.set(tool.name, tool)
    }
    for (const name of collisions) found.delete(name)
    this.#collisions = [...collisions].sort()
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function toolOf(server: string, sent: Tool, twin: string | undefined): CatalogueTool {
  const warnings = warningsOf(sent)
  if (twin !== undefined) warnings.push({ code: 'look_alike', message: `its name looks like ${JSON.stringify(twin)}` })
  const tool = warnings.some(({ code }) => code === 'invisible') ? cleanDefinition(sent) : sent
  return { name: modelName(server, sent.name), server, tool, sent, warnings }
}
