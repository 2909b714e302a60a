import { check, textOf } from '../lib/check.mjs'
import { cuttingProxy } from '../lib/cutting-proxy.mjs'

export default {
  name: 'resume',
  title: 'resume',
  needs: 'resume',
  transports: ['http'],
  about: 'the connection breaks while a call runs; the client comes back and gets the rest of the stream',
  shows: [
    'http.resume.event-ids',
    'http.resume.get-with-last-event-id',
    'http.resume.replay',
    'http.sse.disconnect-not-cancel',
  ],
  async run({ open, work: { resume }, target, onEnd }) {
    const proxy = await cuttingProxy(target.url)
    onEnd(proxy.close)
    const session = await open({}, { url: proxy.url })
    const seen = []
    const result = await session.call(resume.name, resume.arguments, { onProgress: (one) => seen.push(one.progress) })
    check(proxy.cuts === 1, `the connection was cut once: ${proxy.cuts} times`)
    check(proxy.resumed, 'the client came back with Last-Event-ID')
    check(textOf(result).includes(resume.text), `the result arrives: ${textOf(result)}`)
    check(new Set(seen).size === seen.length, `no report comes twice: ${JSON.stringify(seen)}`)
  },
}
