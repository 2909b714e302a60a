/** Evaluations with real server processes and scripted models. */
import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/chat.ts'
import {
  compareRates,
  type EvalEvent,
  type EvalsFile,
  type EvalsOptions,
  evalsJunit,
  loadEvals,
  mergeRates,
  ratesOf,
  readRates,
  runEvals,
} from '../../src/evals.ts'
import { scripted } from '../scripted.ts'

const good = scriptedModel([
  { when: 'rain in (\\w+)', calls: [{ name: 'weather__forecast', arguments: { city: '{1}', days: 2 } }] },
  { after: 'weather__forecast', text: 'The server says {result}' },
  { text: 'I only know the weather.' },
])
const poor = scriptedModel([
  { when: 'rain', calls: [{ name: 'weather__forecast', arguments: { city: 'Oslo' } }] },
  { after: 'weather__forecast', calls: [{ name: 'weather__delete_all' }] },
  { text: 'Done.' },
])
const models = new Map([
  ['good', good],
  ['poor', poor],
])

const rain = `
  - name: asks for the forecast
    prompt: Will it rain in Bergen?
    expect:
      calls:
        - { tool: weather.forecast, arguments: { city: Bergen }, outcome: ok }
      never: ["weather.delete_*"]
      text: Bergen
      maxSteps: 2
      maxTokens: 100000
`
const file = (cases: string, rest = 'consent: { allow: ["weather.*"] }'): string =>
  `tenonEvals: 1\nmodels: [good, poor]\n${rest}\ncases:${cases}`

/** Runs a file with the weather server as a process. */
async function evaluate(text: string, options: EvalsOptions = {}) {
  using weather = scripted({ tools: [{ name: 'forecast' }, { name: 'delete_all' }] })
  const loaded = loadEvals(text)
  const servers: EvalsFile['servers'] = new Map([['weather', { name: 'weather', config: 'weather' }]])
  return await runEvals(
    { ...loaded, servers: loaded.servers.size > 0 ? loaded.servers : servers },
    { findServer: () => weather.config, findModel: (name) => models.get(name)!, ...options },
  )
}

test('each model talks about each prompt, and the checks say why one does not pass', async () => {
  const events: EvalEvent[] = []
  const { passed, failed, cases } = await evaluate(file(rain), { runs: 2, onEvent: (event) => events.push(event) })
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 })
  expect(cases).toMatchObject([
    { model: 'good', status: 'passed', passed: 2, rate: 1 },
    { model: 'poor', status: 'failed', passed: 0, rate: 0 },
  ])
  expect(cases[0]!.runs[0]).toMatchObject({
    status: 'passed',
    steps: 2,
    calls: [{ tool: 'weather.forecast', arguments: { city: 'Bergen', days: 2 }, outcome: 'ok' }],
  })
  expect(cases[1]!.runs[0]!.failures).toEqual([
    {
      path: 'calls[0]',
      message:
        'expected a call of weather.forecast with {"city":"Bergen"} that ends with ok, got weather.forecast {"city":"Oslo"}',
      place: { line: 9, column: 11 },
    },
    {
      path: 'never[0]',
      message: 'expected no call of weather.delete_*, got weather.delete_all {}',
      place: { line: 10, column: 15 },
    },
    {
      path: 'text',
      message: expect.stringContaining('expected a text that contains "Bergen", got'),
      place: expect.anything(),
    },
    { path: 'maxSteps', message: 'expected at most 2 steps, got 3', place: expect.anything() },
  ])
  const heard = events.flatMap((event) => (event.kind === 'chat' ? [] : [event.kind]))
  const twice = ['started', 'ended', 'started', 'ended', 'finished']
  expect(heard).toEqual([...twice, ...twice])
  const conversation = events.flatMap((event) => (event.kind === 'chat' ? [event.event.type] : []))
  expect(conversation.filter((type) => type === 'tool-result' || type === 'done').slice(0, 2)).toEqual([
    'tool-result',
    'done',
  ])
})

test('a case passes if enough of its runs do', async () => {
  let calls = 0
  const moody = () => ({
    ...good,
    doStream: (call: never) => (calls++ % 2 === 0 ? poor : scriptedModel([{ text: 'Bergen' }])).doStream(call),
  })
  const one = (rate: number): string => file(`\n  - { prompt: hello, passRate: ${rate}, expect: { text: Bergen } }`)
  const options = { models: ['moody'], findModel: moody, runs: 4 }
  expect((await evaluate(one(0.5), options)).cases).toMatchObject([{ status: 'passed', passed: 2, rate: 0.5 }])
  expect((await evaluate(one(0.75), options)).cases).toMatchObject([{ status: 'failed', passed: 2, rate: 0.5 }])
})

test('calls that the consent of the file does not allow are refused, and denied tools are seen all the same', async () => {
  const cases = `
  - prompt: Will it rain in Bergen?
    expect: { calls: [{ tool: forecast, outcome: refused }] }
  - name: denied
    prompt: Will it rain?
    expect: { never: [weather.delete_all] }
`
  const asked = await evaluate(file(cases, ''), { models: ['good'], filter: ({ name }) => name !== 'denied' })
  expect(asked.cases).toMatchObject([{ name: 'Will it rain in Bergen?', status: 'passed' }])
  const denied = await evaluate(file(cases, 'consent: { allow: ["*.*"], deny: [weather.delete_all] }'), {
    models: ['poor'],
    filter: ({ name }) => name === 'denied',
  })
  expect(denied.cases[0]!.runs[0]!.failures).toMatchObject([{ path: 'never[0]' }])
})

test('a server that does not start, and a model that fails, fail their runs', async () => {
  const cases = '\n  - { prompt: Will it rain? }'
  const broken = await evaluate(file(cases), {
    models: ['good'],
    findServer: () => ({ command: process.execPath, args: ['-e', ''], restart: { maxAttempts: 1 } }),
  })
  expect(broken.cases[0]).toMatchObject({ status: 'failed', runs: [{ failures: [{ path: 'servers.weather' }] }] })
  const silent = scriptedModel([{ error: { status: 400, message: 'no such model' } }])
  const refused = await evaluate(file(cases), { models: ['x'], findModel: () => silent })
  expect(refused.cases[0]).toMatchObject({
    status: 'failed',
    runs: [{ failures: [{ path: 'model', message: expect.stringContaining('no such model') }] }],
  })
})

test('skipped cases are not run; without a case or a model nothing is', async () => {
  const { skipped, cases } = await evaluate(file('\n  - { prompt: hello, skip: too slow }'), { models: ['good'] })
  expect({ skipped, runs: cases[0]!.runs }).toEqual({ skipped: 1, runs: [] })
  await expect(evaluate(file(rain), { filter: () => false })).rejects.toMatchObject({ code: 'invalid_argument' })
  await expect(evaluate(`tenonEvals: 1\ncases:${rain}`)).rejects.toMatchObject({ code: 'invalid_argument' })
})

test('an evaluation can be stopped', async () => {
  const stop = new AbortController()
  const ended = evaluate(file(rain), { signal: stop.signal, onEvent: () => stop.abort(new Error('enough')) })
  await expect(ended).rejects.toThrow('enough')
})

test('reports: JUnit, and the difference to an earlier one', async () => {
  const report = await evaluate(file(rain))
  const xml = evalsJunit([report])
  expect(xml).toContain('tests="2" failures="1"')
  expect(xml).toContain('0 of 1 runs passed, expected 100 %')
  const rates = ratesOf(report.cases)
  expect(readRates(JSON.stringify({ ok: false, result: report }), 'last.json')).toEqual(rates)
  const before = [
    { name: 'asks for the forecast', model: 'poor', passed: 1, runs: 3 },
    { name: 'gone', model: 'poor', passed: 1, runs: 3 },
  ]
  expect(compareRates(before, rates)).toMatchObject([
    { model: 'good', change: 'new' },
    { model: 'poor', change: 'worse' },
    { name: 'gone', change: 'gone' },
  ])
  expect(mergeRates(before, rates)).toHaveLength(3)
  const rate = (passed: number, runs: number) => [{ name: 'a', model: 'm', passed, runs }]
  expect(compareRates(rate(1, 3), rate(2, 6))).toMatchObject([{ change: 'same' }])
  expect(compareRates(rate(1, 3), rate(1, 2))).toMatchObject([{ change: 'better' }])
})

test.each([
  '',
  '[]',
  '{"tenonEvalsReport":1}',
  '{"tenonEvalsReport":1,"cases":[{"name":"a"}]}',
  '{"tenonEvalsReport":1,"cases":[null]}',
])('%j is no report', (text) =>
  expect(() => readRates(text, 'x.json')).toThrow('x.json: expected a report of an evaluation, as JSON'),
)
