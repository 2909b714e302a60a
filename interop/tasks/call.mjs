import { check, matches, textOf } from '../lib/check.mjs'

const text = 'Grüße, 世界 🌍 "quoted" \\ back\nnew line \u2028 \u0007'

export default {
  name: 'call',
  title: 'call',
  needs: 'echo',
  about: 'a tool called with text of every kind comes back with it unchanged',
  shows: ['tools.call.params', 'tools.result.text', 'rpc.encoding.utf8', 'stdio.framing.no-embedded-newline'],
  async run({ open, work: { echo } }) {
    const session = await open()
    const result = await session.call(echo.name, { [echo.argument]: text })
    check(!result.isError, `no error: ${textOf(result)}`)
    matches(textOf(result), text, 'text')
  },
}
