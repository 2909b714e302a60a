import { check, matches, textOf } from '../lib/check.mjs'

export default {
  name: 'script',
  title: 'script',
  needs: 'script',
  about: 'a sequence of calls that build on each other, as an agent makes them',
  async run({ open, work: { script } }) {
    const session = await open()
    for (const { name, arguments: args, text, fails = false } of script) {
      const result = await session.call(name, args)
      check((result.isError ?? false) === fails, `${name} ${fails ? 'fails' : 'works'}: ${textOf(result)}`)
      if (text) matches(JSON.stringify(result.content), text, `content of ${name}`)
    }
  },
}
