import { check } from '../lib/check.mjs'

export default {
  name: 'late-progress',
  title: 'late progress',
  needs: 'lateProgress',
  about: 'progress that is reported right before the result is not lost',
  async run({ open, work: { lateProgress } }) {
    const session = await open()
    const seen = []
    await session.call(lateProgress.name, lateProgress.arguments, { onProgress: (one) => seen.push(one.progress) })
    const { reports } = lateProgress
    check(seen.length === reports, `${reports} reports before the result, got ${JSON.stringify(seen)}`)
  },
}
