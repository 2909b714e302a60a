import { type Authenticate, type HttpServer, serveHttp } from '@tenon/sdk/node'
import { createServer, type Middleware, rateLimit, type ToolContext, tool } from '@tenon/sdk/server'

interface User {
  name: string
  isAdmin: boolean
}

const users = new Map<string, User>([
  ['key-of-ada', { name: 'ada', isAdmin: true }],
  ['key-of-bob', { name: 'bob', isAdmin: false }],
])

/** API keys: runs before anything of a request is read. */
const authenticate: Authenticate = (request) => {
  const user = users.get(request.header('x-api-key') ?? '')
  return user ? { principal: user.name, scopes: [] } : { status: 401 }
}
const userNamed = (principal?: string): User | undefined => [...users.values()].find(({ name }) => name === principal)

/** Runs around every operation. The first middleware of the list is the outermost. */
const log: Middleware = async ({ method, ctx }, next) => {
  console.log(`  ${ctx.auth?.principal}: ${method}`)
  return next()
}

const whoami = tool({ name: 'whoami', run: (_input, ctx: ToolContext<User>) => `You are ${ctx.context.name}` })

/** For others than administrators it does not exist: not in lists, and not in calls. */
const erase = tool({
  name: 'erase',
  visible: ({ auth }) => userNamed(auth?.principal)?.isAdmin === true,
  run: () => 'Erased',
})

export const serve = (): Promise<HttpServer> =>
  serveHttp(
    createServer({
      name: 'desk',
      version: '1.0.0',
      tools: [whoami, erase],
      middleware: [log, rateLimit({ 'tools/call': { perMinute: 1, burst: 2 } })],
      context: ({ auth }) => userNamed(auth?.principal) ?? { name: 'nobody', isAdmin: false },
    }),
    { auth: authenticate },
  )
