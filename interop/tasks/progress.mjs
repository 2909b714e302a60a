import { check, promised, repeatUntil, textOf } from '../lib/check.mjs'

export default {
  name: 'progress',
  title: 'progress',
  needs: 'progress',
  about: 'progress arrives while the call runs, in order; the call goes on when all of it was seen',
  shows: ['progress.increasing', 'http.sse.notifications-before-response'],
  async run({ open, work: { progress }, signal }) {
    const session = await open()
    const seen = []
    const complete = promised()
    const onProgress = (one) => {
      seen.push(one.progress)
      if (seen.length >= progress.atLeast) complete.resolve()
    }
    const call = session.call(progress.name, progress.arguments, { onProgress })
    if (progress.release) {
      await Promise.race([complete.promise, call])
      await repeatUntil(call, () => session.call(progress.release, {}), signal)
    }
    const result = await call
    check(!result.isError, `no error: ${textOf(result)}`)
    check(seen.length >= progress.atLeast, `at least ${progress.atLeast} reports, got ${JSON.stringify(seen)}`)
    check(
      seen.every((value, i) => i === 0 || value > seen[i - 1]),
      `progress grows: ${JSON.stringify(seen)}`,
    )
  },
}
