import { serveIssuer } from '@tenon/issuer'

/** The authorization server that the official suite tests, at `PORT`: one user, and the suite as the client. */
const { PORT = '3001' } = process.env
const as = await serveIssuer({
  port: Number(PORT),
  users: [{ subject: 'tester', name: 'Tester' }],
  // The suite listens on any port.
  clients: [{ id: 'conformance', name: 'Conformance suite', redirectUris: ['http://127.0.0.1/callback'] }],
  onError: (error) => console.error(error),
})
console.log(`listening on ${as.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void as.close())
