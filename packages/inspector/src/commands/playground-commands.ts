import { evalCase } from '../playground/eval-case.ts'
import { readModelName } from '../playground/model-name.ts'
import { RequestProblem } from '../problem.ts'
import type { PlaygroundCommands } from '../protocol.ts'
import { readNumber, readText, readTextIfAny, readTexts } from '../read-params.ts'
import type { Handlers } from './command.ts'

export const playgroundCommands: Handlers<keyof PlaygroundCommands> = {
  'playground.send': (params, { playground }) => ({
    turn: playground.send(readText(params, 'text'), readTextIfAny(params, 'turn')),
  }),
  'playground.stop': async (_params, { playground }) => {
    await playground.stop()
    return {}
  },
  'playground.clear': async (_params, { playground }) => {
    await playground.clear()
    return {}
  },
  'playground.setModels': (params, { playground }) => {
    const models = readTexts(params, 'models').map(readModelName)
    if (models.length !== 1 && models.length !== 2) {
      throw new RequestProblem(`models: expected one or two, got ${models.length}`)
    }
    playground.setModels(models)
    return {}
  },
  'playground.setKey': async (params, { playground }) => {
    await playground.setKey(readModelName(params.model), readTextIfAny(params, 'key'))
    return {}
  },
  'playground.evalCase': (params, { playground, servers }) =>
    evalCase(playground.turn(readText(params, 'turn')), readNumber(params, 'answer', 0, 1), servers),
}
