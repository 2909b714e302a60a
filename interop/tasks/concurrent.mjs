import { matches, textOf } from '../lib/check.mjs'

const calls = 40

export default {
  name: 'concurrent',
  title: 'concurrent',
  needs: 'echo',
  about: `${calls} calls at the same time, each with its own answer`,
  shows: ['rpc.response.same-id'],
  async run({ open, work: { echo } }) {
    const session = await open()
    const texts = Array.from({ length: calls }, (_, i) => `call number ${i};`)
    const results = await Promise.all(texts.map((text) => session.call(echo.name, { [echo.argument]: text })))
    results.forEach((result, i) => {
      matches(textOf(result), texts[i], `answer ${i}`)
    })
  },
}
