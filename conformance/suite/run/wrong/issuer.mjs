import { serveIssuer } from '@tenon/issuer'

/** An authorization server with the identity of another one, and without PKCE in its metadata. */
const as = await serveIssuer({
  port: Number(process.env.PORT),
  clients: [{ id: 'conformance', redirectUris: ['http://127.0.0.1/callback'] }],
  faults: { badIss: 'wrong', noPkce: true },
})
console.log(`listening on ${as.url}`)
