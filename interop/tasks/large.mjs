import { equal, textOf } from '../lib/check.mjs'

export default {
  name: 'large',
  title: 'large result',
  needs: 'large',
  about: 'a result of 5 MB, as a screenshot or a file is',
  limitMs: 60_000,
  async run({ open, work: { large } }) {
    const session = await open()
    const result = await session.call(large.name, { bytes: large.bytes })
    equal(textOf(result).length, large.bytes, 'length of the text')
  },
}
