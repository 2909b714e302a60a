// The server behind the middleware of the SDK, with the authorization server of its examples beside it.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** The URL of the protected server; undefined for versions without the example. */
export async function serveProtected(handle, from) {
  const demo = await from('examples/server/demoInMemoryOAuthProvider.js').catch(() => undefined)
  if (demo === undefined) return undefined
  const { default: express } = await import('express')
  const { getOAuthProtectedResourceMetadataUrl, mcpAuthRouter } = await from('server/auth/router.js')
  const { requireBearerAuth } = await from('server/auth/middleware/bearerAuth.js')
  const app = express()
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuerUrl = new URL(`http://127.0.0.1:${server.address().port}/`)
  const resourceServerUrl = new URL('/mcp', issuerUrl)
  const provider = new demo.DemoInMemoryAuthProvider()
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl)
  app.use(mcpAuthRouter({ provider, issuerUrl, resourceServerUrl }))
  app.all('/mcp', requireBearerAuth({ verifier: provider, requiredScopes: [], resourceMetadataUrl }), handle)
  return resourceServerUrl.href
}
