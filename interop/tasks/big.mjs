import { check, textOf } from '../lib/check.mjs'

export default {
  name: 'big',
  title: 'big payload',
  needs: 'echo',
  about: '2 MB of text in several scripts, there and back',
  shows: ['stdio.framing.newline-delimited'],
  limitMs: 60_000,
  async run({ open, work: { echo } }) {
    const session = await open()
    const text = 'Grüße, 世界 🌍\n'.repeat(Math.ceil((echo.bytes ?? 2_000_000) / 23))
    const back = textOf(await session.call(echo.name, { [echo.argument]: text }))
    check(back.includes(text), () => `the text comes back whole: sent ${text.length} characters, got ${back.length}`)
  },
}
