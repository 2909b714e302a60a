import type { Tool } from '@tenon/sdk/client'
import type { ServerView } from '../../src/protocol.ts'
import type { Bench } from '../state/bench.ts'

/** A tool and who offers it. */
interface OfferedTool {
  server: ServerView
  tool: Tool
}

/** The tools of all servers that are connected. */
export const offeredTools = ({ servers, catalogs }: Pick<Bench, 'servers' | 'catalogs'>): OfferedTool[] =>
  servers
    .filter(({ status }) => status === 'connected')
    .flatMap((server) => (catalogs.get(server.id)?.tools?.items ?? []).map((tool) => ({ server, tool })))

/** The tool of a server by its name, if the server is known to have it. */
export const toolOf = (
  { server, tool }: { server: string; tool?: string },
  { catalogs }: Pick<Bench, 'catalogs'>,
): Tool | undefined =>
  tool === undefined ? undefined : catalogs.get(server)?.tools?.items.find(({ name }) => name === tool)

/** The name of a tool for people. The same function of the SDK would bring all of its client into the page. */
export const toolTitle = ({ title, name, annotations }: Tool): string => title ?? annotations?.title ?? name
