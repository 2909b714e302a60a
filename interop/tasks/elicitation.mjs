import { check, equal, matches, textOf } from '../lib/check.mjs'

export default {
  name: 'elicitation',
  title: 'elicitation',
  needs: 'elicitation',
  about: 'a tool asks the user with a form: accepted once, declined once',
  shows: [
    'elicit.request.direct',
    'elicit.request.via-mrtr',
    'elicit.form.params',
    'elicit.result.actions',
    'elicit.server.handle-decline',
    'mrtr.client.echo-state',
    'mrtr.client.all-keys',
  ],
  async run({ open, work: { elicitation } }) {
    const answers = [{ action: 'accept', content: elicitation.content }, { action: 'decline' }]
    const asked = []
    const session = await open({
      elicit: (params) => {
        asked.push(params)
        return answers[asked.length - 1]
      },
    })
    const accepted = await session.call(elicitation.name, elicitation.arguments)
    check(!accepted.isError, `no error: ${textOf(accepted)}`)
    matches(JSON.stringify(accepted.structured ?? textOf(accepted)), elicitation.accepted, 'result when accepted')
    check(asked[0].requestedSchema?.type === 'object', 'the form has a schema')
    const declined = await session.call(elicitation.name, elicitation.arguments)
    matches(textOf(declined), elicitation.declined, 'result when declined')
    equal(asked.length, 2, 'questions to the user')
  },
}
