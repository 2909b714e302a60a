import type { ListPromptsResult, Prompt } from '../../model/prompts.ts'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  Resource,
  ResourceTemplate,
} from '../../model/resources.ts'
import type { ListToolsResult, Tool } from '../../model/tools.ts'
import type { ReconnectingConnection } from '../connecting/reconnecting-connection.ts'
import type { CallOptions, PageOptions } from '../types.ts'
import type { OutputSchemas } from './output-validation.ts'
import { allItems, type ListPage, type PagedList } from './pagination.ts'
import type { RequestSender } from './request-sender.ts'

/** The lists of a server, page by page or whole. */
export class ServerLists {
  readonly #requests: RequestSender
  readonly #connection: ReconnectingConnection
  readonly #outputs: OutputSchemas

  constructor(requests: RequestSender, connection: ReconnectingConnection, outputs: OutputSchemas) {
    this.#requests = requests
    this.#connection = connection
    this.#outputs = outputs
  }

  tools(options: CallOptions): AsyncGenerator<Tool, void, undefined> {
    return this.#all({
      name: 'tools',
      fetch: (cursor) => this.toolPage(withCursor(options, cursor)),
      items: (page) => page.tools,
      id: ({ name }) => name,
    })
  }

  async toolPage(options: PageOptions): Promise<ListToolsResult> {
    const page = await this.#page<ListToolsResult>('tools/list', options)
    this.#outputs.learn(page.tools)
    return page
  }

  resources(options: CallOptions): AsyncGenerator<Resource, void, undefined> {
    return this.#all({
      name: 'resources',
      fetch: (cursor) => this.resourcePage(withCursor(options, cursor)),
      items: (page) => page.resources,
      id: ({ uri }) => uri,
    })
  }

  resourcePage(options: PageOptions): Promise<ListResourcesResult> {
    return this.#page('resources/list', options)
  }

  resourceTemplates(options: CallOptions): AsyncGenerator<ResourceTemplate, void, undefined> {
    return this.#all({
      name: 'resourceTemplates',
      fetch: (cursor) => this.resourceTemplatePage(withCursor(options, cursor)),
      items: (page) => page.resourceTemplates,
      id: ({ uriTemplate }) => uriTemplate,
    })
  }

  resourceTemplatePage(options: PageOptions): Promise<ListResourceTemplatesResult> {
    return this.#page('resources/templates/list', options)
  }

  prompts(options: CallOptions): AsyncGenerator<Prompt, void, undefined> {
    return this.#all({
      name: 'prompts',
      fetch: (cursor) => this.promptPage(withCursor(options, cursor)),
      items: (page) => page.prompts,
      id: ({ name }) => name,
    })
  }

  promptPage(options: PageOptions): Promise<ListPromptsResult> {
    return this.#page('prompts/list', options)
  }

  async #page<Result extends ListPage>(method: string, options: PageOptions): Promise<Result> {
    const { cursor, ...call } = options
    const page = (await this.#requests.call(method, cursor === undefined ? {} : { cursor }, call)) as unknown as Result
    return this.#connection.latest.conversation.finishPage(page)
  }

  #all<Result extends ListPage, Item>(list: PagedList<Result, Item>): AsyncGenerator<Item, void, undefined> {
    return allItems(list, this.#connection.settings.maxPages)
  }
}

const withCursor = (options: CallOptions, cursor: string | undefined): PageOptions =>
  cursor === undefined ? options : { ...options, cursor }
