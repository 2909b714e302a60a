import { check } from '../lib/check.mjs'

export default {
  name: 'bad-arguments',
  title: 'bad arguments',
  needs: 'badArguments',
  about: 'arguments that do not fit are refused, with -32602 or with a result that says so',
  shows: ['tools.error.invalid-arguments-protocol', 'tools.error.input-validation-in-result'],
  async run({ open, work: { badArguments } }) {
    const session = await open()
    const answer = await session.call(badArguments.name, badArguments.arguments).catch((error) => error)
    const codes = [-32602, -32603]
    check(
      answer.isError === true || codes.includes(answer.code),
      () => `a refusal, got ${answer instanceof Error ? answer : JSON.stringify(answer)}`,
    )
    await session.ping()
  },
}
