import { check, matches, textOf } from '../lib/check.mjs'

export default {
  name: 'tool-error',
  title: 'tool error',
  needs: 'toolError',
  about: 'a tool that fails gives a result for the model to read, and the connection goes on',
  shows: ['tools.error.execution-in-result'],
  async run({ open, work: { toolError } }) {
    const session = await open()
    const result = await session.call(toolError.name, toolError.arguments)
    check(result.isError === true, () => `isError is true in ${JSON.stringify(result)}`)
    matches(textOf(result), toolError.text, 'text of the error')
    await session.ping()
  },
}
