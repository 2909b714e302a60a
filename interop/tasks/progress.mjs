import { check, textOf } from '../lib/check.mjs'

export default {
  name: 'progress',
  title: 'progress',
  needs: 'progress',
  about: 'progress arrives while the call runs, in order and before its result',
  shows: ['progress.increasing', 'http.sse.notifications-before-response'],
  async run({ open, work: { progress } }) {
    const session = await open()
    const seen = []
    const result = await session.call(progress.name, progress.arguments, { onProgress: (one) => seen.push(one) })
    check(!result.isError, `no error: ${textOf(result)}`)
    const values = seen.map((one) => one.progress)
    check(values.length >= progress.atLeast, `at least ${progress.atLeast} reports, got ${JSON.stringify(values)}`)
    check(
      values.every((value, i) => i === 0 || value > values[i - 1]),
      `progress grows: ${JSON.stringify(values)}`,
    )
  },
}
