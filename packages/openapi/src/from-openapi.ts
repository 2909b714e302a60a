import { createServer, type Server, type ServerTool, type Tool } from '@tenon/sdk/server'
import { ApiDocument } from './document/api-document.ts'
import { objectMember, textMember } from './document/json.ts'
import type { OpenApiError } from './document/openapi-error.ts'
import type { OpenApiOptions } from './options.ts'
import { toolsOf } from './tools-of.ts'

/** What another document changed. */
export interface OpenApiDifference {
  readonly added: readonly Tool[]
  readonly removed: readonly Tool[]
  readonly changed: readonly { readonly before: Tool; readonly after: Tool }[]
}

/** A service that is described by an OpenAPI document, as a server. */
export interface OpenApiServer {
  /** For `serveStdio`, `serveHttp`, `connect` and everything else that takes a server. */
  readonly server: Server
  /** Operations that are left out, with the reason. */
  readonly problems: readonly OpenApiError[]
  /** Takes another version of the document. Clients hear of the change; a document that cannot be read changes nothing. */
  reload(document: string | object): OpenApiDifference
}

/**
 * Makes a server of an OpenAPI document 3.0 or 3.1: JSON or YAML text, or the parsed value. Each operation is a tool.
 *
 * @example
 * const { server } = fromOpenApi(await readFile('petstore.yaml', 'utf8'), { credentials: { api_key: process.env.PETSTORE_KEY } })
 * await serveStdio(server)
 */
export function fromOpenApi(document: string | object, options: OpenApiOptions = {}): OpenApiServer {
  const first = new ApiDocument(document)
  const info = objectMember(first.root, 'info')
  const description = textMember(info, 'description')
  let { tools, problems } = toolsOf(first, options)
  const server = createServer({
    ...(description !== undefined && { instructions: description.slice(0, 2_000) }),
    ...options.server,
    name: options.name ?? serverName(textMember(info, 'title')),
    version: options.version ?? textMember(info, 'version') ?? '0.0.0',
    tools: [...tools.values()],
  })
  return {
    server: server as Server,
    get problems() {
      return problems
    },
    reload(next) {
      const made = toolsOf(new ApiDocument(next), options)
      const difference = differenceOf(tools, made.tools)
      for (const { name } of [...difference.removed, ...difference.changed.map(({ before }) => before)]) {
        server.tools.remove(name)
      }
      for (const { name } of [...difference.added, ...difference.changed.map(({ after }) => after)]) {
        server.tools.add(made.tools.get(name)!)
      }
      ;({ tools, problems } = made)
      return difference
    },
  }
}

const serverName = (title: string | undefined): string =>
  (title ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64) || 'openapi'

/** By what is listed: a tool that is listed as before is called as before. */
function differenceOf(
  before: ReadonlyMap<string, ServerTool>,
  after: ReadonlyMap<string, ServerTool>,
): OpenApiDifference {
  const listed = (tools: ReadonlyMap<string, ServerTool>): Tool[] => [...tools.values()].map((one) => one.listed)
  return {
    added: listed(after).filter(({ name }) => !before.has(name)),
    removed: listed(before).filter(({ name }) => !after.has(name)),
    changed: listed(after).flatMap((now) => {
      const then = before.get(now.name)?.listed
      return then === undefined || JSON.stringify(then) === JSON.stringify(now) ? [] : [{ before: then, after: now }]
    }),
  }
}
