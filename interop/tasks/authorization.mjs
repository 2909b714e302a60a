import { check, failure, matches, textOf } from '../lib/check.mjs'

export default {
  name: 'authorization',
  title: 'authorization',
  needs: 'authorization',
  transports: ['http', 'http-2026'],
  about:
    'a server that wants a token: the client is refused, finds out who issues tokens, registers, lets the user agree, and gets in',
  shows: [
    'auth.prm.client-uses',
    'auth.prm.server-implements',
    'auth.asmeta.client-rfc8414',
    'auth.sec.pkce',
    'auth.resource.both-requests',
    'auth.token.bearer-header',
    'auth.token.server-validates',
  ],
  async run({ open, work: { authorization }, target }) {
    const url = target.protectedUrl
    const refused = await failure(open({}, { url }), 'without a token')
    matches(String(refused.status ?? refused.code ?? refused.message), /401|unauthorized/i, 'the refusal')
    const visited = []
    const session = await open({ browse: (page) => visit(page, visited) }, { url })
    const result = await session.call(authorization.name, {})
    matches(textOf(result), authorization.text, 'who is calling')
    check(visited.length === 1, `the user was asked once: ${visited.length} times`)
    check(visited[0].searchParams.get('code_challenge_method') === 'S256', 'a code challenge')
  },
}

/** The last URL of a browser whose user agrees to everything. */
async function visit(page, visited) {
  visited.push(page)
  const reply = await fetch(page, { redirect: 'manual' })
  const location = reply.headers.get('location')
  await reply.body?.cancel()
  if (location !== null) return new URL(location, page)
  const { agree } = await import('@tenon/issuer')
  return agree(page)
}
