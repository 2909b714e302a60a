import { equal, promised, repeatUntil } from '../lib/check.mjs'

export default {
  name: 'subscribe',
  title: 'subscribe',
  needs: 'subscribe',
  about: 'a resource is watched and changes: the client gets the notification',
  shows: [
    'res.subscribe.method',
    'res.unsubscribe.method',
    'res.updated-on-listen',
    'sub.ack.first',
    'http.get.open-stream',
  ],
  async run({ open, work: { subscribe }, signal }) {
    // Some servers request sampling on a subscription.
    const session = await open({
      ...(subscribe.samples && {
        sample: () => ({ role: 'assistant', model: 'interop', content: { type: 'text', text: 'Noted' } }),
      }),
    })
    const { promise, resolve } = promised()
    const watch = await session.watch(subscribe.uri, resolve)
    const change = async () => {
      if (subscribe.change) await session.call(subscribe.change.name, subscribe.change.arguments)
    }
    const update = await repeatUntil(promise, change, signal)
    equal(update.uri, subscribe.uri, 'URI of what changed')
    await watch.close()
    await session.ping()
  },
}
