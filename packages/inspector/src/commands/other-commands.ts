import { RequestProblem } from '../problem.ts'
import { readAnswer } from '../questions/read-answer.ts'
import { readNumber, readNumberIfAny, readObject, readText } from '../read-params.ts'
import { readSpec } from '../servers/read-spec.ts'
import { copyAs } from '../timeline/copy-as.ts'
import { toRow } from '../timeline/entry.ts'
import { methodStats } from '../timeline/stats.ts'
import type { Handlers, Named } from './command.ts'
import { timelineFor } from './session-commands.ts'

const maxRows = 500
const maxQueryLength = 1_000
const maxWidth = 10_000
const maxLanes = 500

const readQuery = (params: { readonly query?: unknown }): string => readText(params, 'query').slice(0, maxQueryLength)

export const timelineCommands: Handlers<Named<'timeline'>> = {
  'timeline.query': (params, bench) =>
    timelineFor(params, bench).query(
      readQuery(params),
      readNumber(params, 'offset'),
      readNumber(params, 'count', 0, maxRows),
      { find: readNumberIfAny(params, 'find'), isFolded: params.folded === true },
    ),
  'timeline.get': (params, bench) => {
    const entry = timelineFor(params, bench).get(readNumber(params, 'id'))
    if (entry === undefined) throw new RequestProblem('This message is not kept any more')
    const full = { ...toRow(entry), payload: JSON.parse(entry.text), text: entry.text }
    const server = params.session === undefined ? bench.servers.find(({ id }) => id === entry.server) : undefined
    return server === undefined ? full : { ...full, copyAs: copyAs(full, server, entry.connection) }
  },
  'timeline.stats': (params, bench) => ({ methods: methodStats(timelineFor(params, bench).all(readQuery(params))) }),
  'timeline.lanes': (params, bench) => {
    const read = (name: 'from' | 'to'): { [name: string]: number } =>
      params[name] === undefined ? {} : { [name]: readNumber(params, name) }
    return timelineFor(params, bench).lanes(readQuery(params), {
      ...read('from'),
      ...read('to'),
      width: readNumber(params, 'width', 1, maxWidth),
      top: readNumber(params, 'top'),
      rows: readNumber(params, 'rows', 0, maxLanes),
    })
  },
  'timeline.clear': (_params, { timeline }) => {
    timeline.clear()
    return {}
  },
  'timeline.export': (params, bench) => {
    const lines: string[] = []
    for (const entry of timelineFor(params, bench).all(readQuery(params))) {
      lines.push(JSON.stringify({ ...toRow(entry), payload: JSON.parse(entry.text) }))
    }
    const name = `tenon-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.jsonl`
    return { text: `${lines.join('\n')}\n`, name }
  },
}

export const questionCommands: Handlers<Named<'question'>> = {
  'question.answer': (params, { questions }) => {
    const id = readText(params, 'question')
    const question = questions.find(id)
    if (question === undefined) throw new RequestProblem('Nobody waits for this answer any more')
    questions.answer(id, readAnswer(params.answer, question))
    return {}
  },
}

export const pageCommands: Handlers<Named<'page'>> = {
  'page.keep': (params, { page }) => {
    page.keep(readObject('entries', params.entries))
    return {}
  },
}

export const configCommands: Handlers<Named<'config'>> = {
  'config.find': async (_params, { found }) => ({ found: await found.find() }),
  'config.parse': (params, { found }) => found.parse(readText(params, 'text')),
  'config.add': async (params, bench) => {
    // Validated like input of the page: a file can hold anything.
    const spec = readSpec(await bench.found.resolve(readText(params, 'key')))
    return { server: (await bench.list.add(spec)).id }
  },
}
