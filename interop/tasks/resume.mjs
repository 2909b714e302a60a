import { check, repeatUntil, textOf, until } from '../lib/check.mjs'
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
  async run({ open, work: { resume }, target, signal, onEnd }) {
    const proxy = await cuttingProxy(target.url)
    onEnd(proxy.close)
    const session = await open({}, { url: proxy.url })
    const seen = []
    const call = session.call(resume.name, resume.arguments, { onProgress: (one) => seen.push(one.progress) })
    if (resume.release) {
      // The rest is sent without a listener: the tool continues only after the connection broke.
      await Promise.race([until(() => proxy.cuts > 0, signal), call])
      const other = await open()
      await repeatUntil(call, () => other.call(resume.release, {}), signal)
    }
    const result = await call
    check(proxy.cuts === 1, `the connection was cut once: ${proxy.cuts} times`)
    check(proxy.resumed, 'the client came back with Last-Event-ID')
    check(textOf(result).includes(resume.text), `the result arrives: ${textOf(result)}`)
    check(new Set(seen).size === seen.length, `no report comes twice: ${JSON.stringify(seen)}`)
  },
}
