// `bearer()` as in the documentation, with an issuer in this process, and a token of it for the load.
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { bearer } from '@tenon/sdk/auth/server'

const resource = 'https://bench.example.com/mcp'
const scope = 'bench:call'

export async function protection() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }
  const issuer = await serveKeys({ keys: [key] })
  const auth = bearer({ issuer, jwksUri: `${issuer}/keys`, resource, scopes: [scope] })
  return { auth, headers: { Authorization: `Bearer ${tokenOf(issuer, privateKey)}` } }
}

async function serveKeys(keys) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(keys))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}`
}

function tokenOf(iss, privateKey) {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss, aud: resource, sub: 'ada', client_id: 'bench', scope, iat: now, exp: now + 24 * 60 * 60 }
  const parts = [{ alg: 'RS256', typ: 'at+jwt', kid: 'bench' }, claims]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}
