import { RequestProblem } from '../problem.ts'
import type { ModelCommands } from '../protocol.ts'
import { readText, readTextIfAny } from '../read-params.ts'
import type { Handlers } from './command.ts'

export const modelCommands: Handlers<keyof ModelCommands> = {
  'model.get': (_params, { model: { view } }) => (view === undefined ? {} : { model: view }),
  'model.set': async (params, { model }) => ({
    model: await model.set(readText(params, 'baseUrl'), readText(params, 'model'), readTextIfAny(params, 'key')),
  }),
  'model.draft': async (params, { model, questions }) => {
    const question = questions.find(readText(params, 'question'))
    if (question?.kind !== 'sampling') throw new RequestProblem('Nobody waits for this answer any more')
    return { message: await model.draft(question.params) }
  },
}
