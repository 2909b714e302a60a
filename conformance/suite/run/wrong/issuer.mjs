import { serveIssuer } from '@tenon/issuer'

/** An authorization server that answers for another one, and does not say that it knows PKCE. */
const as = await serveIssuer({
  port: Number(process.env.PORT),
  clients: [{ id: 'conformance', redirectUris: ['http://127.0.0.1/callback'] }],
  faults: { badIss: 'wrong', noPkce: true },
})
console.log(`listening on ${as.url}`)
