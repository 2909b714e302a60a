/** A route of Next, `app/mcp/route.ts`: one handler for every method. */
import { type FetchHandler, fetchHandler } from '@tenon/sdk/http'
import { server } from './server.ts'

const handler: FetchHandler = fetchHandler(server, { sessions: false })

export { handler as DELETE, handler as GET, handler as POST }
