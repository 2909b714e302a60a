import { check, textOf } from '../lib/check.mjs'

export default {
  name: 'lost-session',
  title: 'lost session',
  needs: 'lostSession',
  transports: ['http'],
  about: 'the server starts anew and knows no session of before: the client begins another one, and the call is made',
  shows: ['http.session.terminated-404', 'http.session.client-reinitialises'],
  async run({ open, work: { echo }, target }) {
    const session = await open()
    const say = async (text) => textOf(await session.call(echo.name, { [echo.argument]: text }))
    check((await say('before')).includes('before'), 'a call before')
    const restarted = await fetch(target.restartUrl, { method: 'POST' })
    check(restarted.ok, `the server started anew: ${restarted.status}`)
    check((await say('after')).includes('after'), 'a call after')
  },
}
