import { check, includes, matches } from '../lib/check.mjs'

export default {
  name: 'prompts',
  title: 'prompts',
  needs: 'prompts',
  about: 'prompts listed, got with arguments, and refused without one that is required',
  shows: ['prompts.list.respond', 'prompts.get.params', 'prompts.get.result', 'prompts.validate-arguments'],
  async run({ open, work: { prompts } }) {
    const session = await open()
    includes(
      (await session.prompts()).map(({ name }) => name),
      prompts.names,
      'prompts',
    )
    const { messages } = await session.prompt(prompts.get.name, prompts.get.arguments)
    const text = messages.map(({ content }) => content.text ?? '').join('\n')
    matches(text, prompts.get.text, 'text of the prompt')
    if (!prompts.refuses) return
    const error = await session.prompt(prompts.get.name, {}).catch((thrown) => thrown)
    check(Number.isInteger(error.code), () => `an error for a missing argument, got ${JSON.stringify(error)}`)
  },
}
