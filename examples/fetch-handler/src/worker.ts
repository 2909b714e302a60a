/** The entry of a Cloudflare Worker; Bun and Deno take the same. */
import { fetchHandler } from '@tenon/sdk/http'
import { server } from './server.ts'

const handler = fetchHandler(server, { path: '/mcp', sessions: false })

export default { fetch: (request: Request): Promise<Response> => handler(request) }
