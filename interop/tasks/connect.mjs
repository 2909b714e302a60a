import { check, equal } from '../lib/check.mjs'

export default {
  name: 'connect',
  title: 'connect',
  needs: 'server',
  about: 'the handshake or discovery, in the chosen era; a ping; a second connection beside the first',
  shows: [
    'life.init.first-interaction',
    'life.version.client-offers-latest',
    'life.version.server-echoes-supported',
    'ver.compat.eras-concurrently',
    'discover.mandatory',
    'stdio.compat.probe-first',
    'http.compat.try-modern-first',
    'httpsse.compat.client-post-first',
    'ping.respond',
  ],
  async run({ open, work, target }) {
    const session = await open({}, { isKnown: false })
    equal(session.serverName, work.server, 'name of the server')
    equal(session.revision === '2026-07-28', target.era === '2026', `revision ${session.revision} belongs to the era`)
    await session.ping()
    if (work.single) return
    const second = await open()
    await second.ping()
    check(second.revision === session.revision, 'both connections have the same revision')
  },
}
