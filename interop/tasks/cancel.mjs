import { failure, textOf, until } from '../lib/check.mjs'

export default {
  name: 'cancel',
  title: 'cancel',
  needs: 'cancel',
  about: 'a call that is cancelled ends at once on both sides, and the connection goes on',
  shows: [
    'cancel.client-signals',
    'cancel.receiver-stops',
    'http.cancel.stream-close-is-cancel',
    'stdio.cancel.notification',
  ],
  async run({ open, work: { cancel, echo }, signal }) {
    const session = await open()
    const count = async () => Number(textOf(await session.call(cancel.counter, {})))
    const before = cancel.counter && (await count())
    const stop = new AbortController()
    // The first progress means that the tool runs: only then there is something to cancel.
    const call = session.call(cancel.name, cancel.arguments, { signal: stop.signal, onProgress: () => stop.abort() })
    await failure(call, 'the call that was cancelled')
    if (cancel.counter) await until(async () => (await count()) > before, signal)
    await session.call(echo.name, { [echo.argument]: 'still here' })
  },
}
