import { repeatUntil } from '../lib/check.mjs'

export default {
  name: 'news',
  title: 'lists beside watches',
  needs: ['listChanged', 'subscribe'],
  about: 'changes of lists still arrive after watches began and ended',
  shows: ['sub.id.client-correlates'],
  async run({ open, work: { listChanged, subscribe }, signal }) {
    let heard = () => {}
    const next = () =>
      new Promise((resolve) => {
        heard = resolve
      })
    const session = await open({
      onToolsChanged: () => heard(),
      ...(subscribe.samples && {
        sample: () => ({ role: 'assistant', model: 'interop', content: { type: 'text', text: 'Noted' } }),
      }),
    })
    const change = async () => {
      await session.call(listChanged.back.name, listChanged.back.arguments)
      await session.call(listChanged.change.name, listChanged.change.arguments)
    }
    await repeatUntil(next(), change, signal)
    const watch = await session.watch(subscribe.uri, () => {})
    await repeatUntil(next(), change, signal)
    await watch.close()
    // Long enough for a stream that is replaced to end.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await repeatUntil(next(), change, signal)
    await session.call(listChanged.back.name, listChanged.back.arguments)
  },
}
