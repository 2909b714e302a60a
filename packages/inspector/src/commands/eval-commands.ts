import type { EvalCommands, EvalSettings } from '../protocol.ts'
import {
  type RawParams,
  readNumber,
  readNumberIfAny,
  readObject,
  readOneOf,
  readText,
  readTexts,
  unexpected,
} from '../read-params.ts'
import type { Handlers } from './command.ts'

export const evalCommands: Handlers<keyof EvalCommands> = {
  'evals.list': async (_params, bench) => {
    const { shelf } = (await bench.evals()).files
    return { folder: shelf.folder.path, suites: await shelf.list() }
  },
  'evals.put': async (params, bench) => {
    const index = readNumberIfAny(params, 'index')
    const servers = params.servers === undefined ? [] : readTexts(params, 'servers')
    const [suite, at] = await (await bench.evals()).files.put(readText(params, 'suite'), {
      one: readObject('case', params.case),
      servers: servers.map((id) => bench.server(id).spec),
      allow: params.allow === undefined ? [] : readTexts(params, 'allow'),
      ...(index !== undefined && { index }),
    })
    return { suite, index: at }
  },
  'evals.set': async (params, bench) => ({
    suite: await (await bench.evals()).files.set(readText(params, 'suite'), readSettings(params)),
  }),
  'evals.remove': async (params, bench) => ({
    suite: await (await bench.evals()).files.remove(readText(params, 'suite'), readNumber(params, 'index')),
  }),
  'evals.delete': async (params, bench) => {
    await (await bench.evals()).files.shelf.folder.remove(readText(params, 'suite'))
    return {}
  },
  'evals.text': async (params, bench) => ({
    text: await (await bench.evals()).files.shelf.folder.read(readText(params, 'suite')),
  }),
  'evals.write': async (params, bench) => {
    const { shelf } = (await bench.evals()).files
    return { suite: await shelf.write(readText(params, 'suite'), readText(params, 'text'), params.isNew === true) }
  },
  'evals.run': async (params, bench) => {
    const runs = params.runs === undefined ? undefined : readCount(params)
    const run = await (await bench.evals()).run(readText(params, 'suite'), {
      ...(params.models !== undefined && { models: readTexts(params, 'models') }),
      ...(runs !== undefined && { runs }),
      ...(params.cases !== undefined && { cases: readIndices(params) }),
    })
    return { run }
  },
  'evals.agree': async (params, bench) => {
    const agreed = params.agreed === true
    ;(await bench.evals()).agree(readText(params, 'suite'), readText(params, 'challenge'), agreed)
    return {}
  },
  'evals.stop': async (params, bench) => {
    ;(await bench.evals()).stop(readText(params, 'suite'))
    return {}
  },
  'evals.last': async (params, bench) => (await bench.evals()).last(readText(params, 'suite')),
  'evals.conversation': async (params, bench) =>
    (await bench.evals()).conversation(readText(params, 'suite'), readNumber(params, 'number')),
  'evals.report': async (params, bench) =>
    (await bench.evals()).report(readText(params, 'suite'), readOneOf(params, 'format', ['junit', 'json'])),
}

const maxRuns = 1_000

function readCount(params: RawParams): number {
  const runs = readNumber(params, 'runs', 1, maxRuns)
  if (Number.isInteger(runs)) return runs
  throw unexpected('runs', `a whole number from 1 to ${maxRuns}`, runs)
}

function readSettings(params: RawParams): EvalSettings {
  const settings = readObject('settings', params.settings)
  return {
    title: readText(settings, 'title'),
    models: readTexts(settings, 'models'),
    runs: readCount(settings),
    system: readText(settings, 'system'),
    allow: readTexts(settings, 'allow'),
  }
}

function readIndices({ cases }: RawParams): number[] {
  if (Array.isArray(cases) && cases.every((index) => Number.isSafeInteger(index))) return cases
  throw unexpected('cases', 'an array of numbers', cases)
}
