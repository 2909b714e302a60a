import { check, equal, matches, textOf } from '../lib/check.mjs'

const answer = 'A model said this: 42 🤖'

export default {
  name: 'sampling',
  title: 'sampling',
  needs: 'sampling',
  about: "a tool asks the client's model, and gets the answer",
  shows: ['sampling.direct-request', 'sampling.via-mrtr', 'sampling.request.required', 'sampling.result.fields'],
  async run({ open, work: { sampling } }) {
    const asked = []
    const session = await open({
      sample: (params) => {
        asked.push(params)
        return { role: 'assistant', model: 'interop', content: { type: 'text', text: answer } }
      },
    })
    const result = await session.call(sampling.name, sampling.arguments)
    check(!result.isError, `no error: ${textOf(result)}`)
    matches(textOf(result), answer, 'text of the result')
    equal(asked.length, 1, 'questions to the model')
    matches(JSON.stringify(asked[0].messages), sampling.question, 'what the model was asked')
    check(asked[0].maxTokens > 0, 'the number of tokens is given')
  },
}
