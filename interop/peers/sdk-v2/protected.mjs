// The server behind the check of the SDK. It has no authorization server any more, so Tenon's is used.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import {
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server'
import { serveIssuer } from '@tenon/issuer'

const asker = { id: 'interop-server', secret: 'a secret that is long enough for an example' }

export async function serveProtected(handle) {
  const as = await serveIssuer({ users: [{ subject: 'ada' }], clients: [asker] })
  const oauthMetadata = await (await fetch(new URL('/.well-known/oauth-authorization-server', as.url))).json()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const resourceServerUrl = new URL(`http://127.0.0.1:${server.address().port}/mcp`)
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl)
  const gate = requireBearerAuth({ verifier: verifierOf(oauthMetadata), resourceMetadataUrl })
  const answer = async (request) => {
    const metadata = oauthMetadataResponse(request, { oauthMetadata, resourceServerUrl })
    if (metadata) return metadata
    const allowed = await gate(request)
    return allowed instanceof Response ? allowed : handle(request, allowed)
  }
  server.on('request', getRequestListener(answer))
  return resourceServerUrl.href
}

/** Introspects a token at the authorization server. */
function verifierOf({ introspection_endpoint: endpoint }) {
  const authorization = `Basic ${btoa(`${asker.id}:${encodeURIComponent(asker.secret)}`)}`
  return {
    async verifyAccessToken(token) {
      const reply = await fetch(endpoint, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ token }),
      })
      const { active, client_id: clientId, exp: expiresAt, scope = '' } = await reply.json()
      if (!active) throw new OAuthError(OAuthErrorCode.InvalidToken, 'not valid')
      return { token, clientId, expiresAt, scopes: scope.split(' ').filter(Boolean) }
    },
  }
}
