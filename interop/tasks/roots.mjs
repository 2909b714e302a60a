import { check, matches, textOf, until } from '../lib/check.mjs'

export default {
  name: 'roots',
  title: 'roots',
  needs: 'roots',
  about: 'a tool requests the roots',
  shows: ['roots.list.request', 'roots.list.via-mrtr', 'roots.list.result'],
  async run({ open, work: { roots }, signal }) {
    const { uri = 'file:///interop/project', text = uri } = roots
    const session = await open({ roots: [{ uri, name: 'project' }] })
    const ask = () => session.call(roots.name, {})
    // Some servers request them once after the handshake, at their own time.
    const isKnown = async () => textOf(await ask()).includes(text)
    if (roots.eventually) return until(isKnown, signal)
    const result = await ask()
    check(!result.isError, `no error: ${textOf(result)}`)
    matches(textOf(result), text, 'roots that the server knows')
  },
}
