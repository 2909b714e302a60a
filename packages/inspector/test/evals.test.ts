import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEvals, readRates } from '@tenon/host/evals'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { BenchEvent, EvalRunView } from '../src/protocol.ts'
import { everything, TestBench } from './workbench-in-test.suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evals-'))
})
afterEach(() => rm(folder, { recursive: true }))

const numbers = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }

const calculator = (): Server =>
  createServer({
    name: 'calculator',
    version: '1.0.0',
    tools: [tool({ name: 'add', input: numbers, run: ({ a, b }) => `${Number(a) + Number(b)}` })],
  })

/** A workbench that is connected to a calculator at a URL. */
async function open(url: string): Promise<{ bench: TestBench; server: string }> {
  const bench = await TestBench.open({
    servers: [{ kind: 'url', name: 'calc', url, headers: { 'X-Key': 'secret-value' } }],
    folder,
  })
  const server = await bench.until((event) => {
    const catalogs = event.type === 'snapshot' ? Object.entries(event.snapshot.catalogs) : []
    const now = event.type === 'catalog' ? [[event.server, { [event.catalog.kind]: event.catalog }] as const] : []
    return [...catalogs, ...now].find(([, { tools }]) => (tools?.items.length ?? 0) > 0)?.[0]
  })
  return { bench, server }
}

/** The evaluation of a file, once it has ended. */
async function ended(bench: TestBench, suite: string): Promise<EvalRunView> {
  await expect.poll(async () => (await bench.run('evals.last', { suite })).run?.state).not.toBe('running')
  return (await bench.run('evals.last', { suite })).run!
}

test('an answer of the Playground becomes a case that passes, with its messages in the timeline', async () => {
  await using http = await serveHttp(calculator(), { port: 0 })
  const { bench } = await open(http.url)
  await using _ = bench
  const { turn } = await bench.run('playground.send', { text: 'add 19 23' })
  const question = await bench.until((event) => {
    const open = event.type === 'snapshot' ? event.snapshot.questions : []
    return [...open, ...(event.type === 'question' ? [event.question] : [])].find(({ kind }) => kind === 'consent')
  })
  await bench.run('question.answer', { question: question.id, answer: { action: 'accept' } })
  const isOver = (event: BenchEvent): true | undefined => {
    const turns = event.type === 'snapshot' ? event.snapshot.playground.turns : []
    const answers = event.type === 'playground-answer' ? [event.answer] : (turns.at(-1)?.answers ?? [])
    return answers.some(({ end }) => end !== undefined) || undefined
  }
  await bench.until(isOver)
  const { case: one, servers, allow } = await bench.run('playground.evalCase', { turn, answer: 0 })
  const { suite, index } = await bench.run('evals.put', { suite: 'Sums', case: one, servers, allow })
  expect([suite.id, suite.servers, suite.allow, index]).toEqual(['sums.yaml', ['calc'], ['calc.add'], 0])
  // The same message once more has another name: names tell the cases of two evaluations apart.
  const { suite: twice } = await bench.run('evals.put', { suite: suite.id, case: one, servers, allow })
  expect(twice.cases.map(({ name }) => name)).toEqual(['add 19 23', 'add 19 23 2'])
  expect(twice.allow).toEqual(['calc.add'])
  const { text } = await bench.run('evals.text', { suite: suite.id })
  expect(text).not.toContain('secret-value')
  expect(loadEvals(text).cases).toHaveLength(2)

  await bench.run('evals.run', { suite: suite.id, runs: 2, cases: [0] })
  const run = await ended(bench, suite.id)
  expect(run).toMatchObject({ state: 'done', total: 2, ended: 2 })
  expect(run.rates).toEqual([{ name: 'add 19 23', model: 'offline', status: 'passed', passed: 2, runs: 2, needed: 1 }])
  const { conversations } = await bench.run('evals.last', { suite: suite.id })
  expect(conversations.map(({ status, steps, failures }) => ({ status, steps, failures }))).toEqual(
    Array(2).fill({ status: 'passed', steps: 2, failures: [] }),
  )
  const rows = conversations.flatMap(({ calls }) => calls).map(({ row }) => row)
  expect(new Set(rows).size).toBe(2)
  const page = await bench.run('timeline.query', { query: `of:${rows[1]}`, offset: 0, count: 10 })
  expect(page.rows.map(({ method, kind }) => [method, kind])).toEqual([
    ['tools/call', 'request'],
    ['tools/call', 'result'],
  ])
  const { answer, prompt } = await bench.run('evals.conversation', { suite: suite.id, number: 1 })
  expect(prompt).toBe('add 19 23')
  expect(answer.parts).toMatchObject([{ kind: 'call', tool: 'add', row: rows[1], outcome: 'ok' }, { kind: 'text' }])

  const junit = await bench.run('evals.report', { suite: suite.id, format: 'junit' })
  expect([junit.name, junit.text]).toEqual(['sums.xml', expect.stringContaining('name="add 19 23"')])
  const json = await bench.run('evals.report', { suite: suite.id, format: 'json' })
  expect(readRates(json.text, json.name)).toEqual([{ name: 'add 19 23', model: 'offline', passed: 2, runs: 2 }])

  // A stricter check: worse than before, and the failure says where it stands in the file.
  const worse = { ...one, expect: { text: 'forty-two' } }
  await bench.run('evals.put', { suite: suite.id, index: 0, case: worse })
  await bench.run('evals.run', { suite: suite.id, cases: [0] })
  const [rate] = (await ended(bench, suite.id)).rates
  expect(rate).toMatchObject({ status: 'failed', passed: 0, runs: 1, before: { passed: 2, runs: 2 }, change: 'worse' })
  const [failed] = (await bench.run('evals.last', { suite: suite.id })).conversations
  expect(failed!.failures).toEqual([
    { path: 'text', message: expect.stringContaining('forty-two'), line: expect.any(Number) },
  ])
  await bench.run('evals.run', { suite: suite.id, cases: [0] })
  expect(await ended(bench, suite.id)).toMatchObject({ rates: [{ change: 'same', before: { passed: 0, runs: 1 } }] })
})

test('the program of a file is started only after a person has agreed; an evaluation is stopped; settings keep the rest', async () => {
  await using bench = await TestBench.open({ folder })
  const { command, args } = everything as { command: string; args: string[] }
  const theirs = [
    '# of somebody else',
    'tenonEvals: 1',
    `servers: { it: ${JSON.stringify({ command, args })} }`,
    'consent: { allow: ["it.add", { tool: "echo", when: "true" }] }',
    'cases:',
    '  - { prompt: add 1 2, expect: { calls: [it.add], text: "3" } }',
    '  - { prompt: nothing, skip: not yet }',
  ].join('\n')
  const { suite } = await bench.run('evals.write', { suite: 'Theirs.yml', text: theirs, isNew: true })
  expect(suite).toMatchObject({ id: 'theirs.yaml', problems: [], cases: [{ name: 'add 1 2' }, { skip: 'not yet' }] })
  const challenge = async (): Promise<string> => {
    const find = (run: EvalRunView | undefined): string | undefined => run?.challenge?.id
    await expect.poll(async () => find((await bench.run('evals.last', { suite: suite.id })).run)).toBeDefined()
    return find((await bench.run('evals.last', { suite: suite.id })).run)!
  }
  await bench.run('evals.run', { suite: suite.id })
  await expect(bench.run('evals.run', { suite: suite.id })).rejects.toThrow('being run already')
  await bench.run('evals.agree', { suite: suite.id, challenge: await challenge(), agreed: false })
  expect(await ended(bench, suite.id)).toMatchObject({
    state: 'stopped',
    ended: 0,
    problem: { message: expect.stringContaining('Nobody agreed to start') },
  })
  await bench.run('evals.run', { suite: suite.id })
  await challenge()
  await bench.run('evals.stop', { suite: suite.id })
  expect(await ended(bench, suite.id)).toMatchObject({ state: 'stopped', ended: 0 })
  await expect(bench.run('evals.report', { suite: suite.id, format: 'json' })).rejects.toThrow('not ended')

  await bench.run('evals.run', { suite: suite.id })
  await bench.run('evals.agree', { suite: suite.id, challenge: await challenge(), agreed: true })
  const done = await ended(bench, suite.id)
  expect(done.rates.map(({ status }) => status)).toEqual(['passed', 'skipped'])

  const settings = { title: 'Theirs', models: ['offline'], runs: 3, system: 'Be brief', allow: ['it.echo'] }
  await bench.run('evals.set', { suite: suite.id, settings })
  const text = await readFile(join(folder, 'eval-cases', suite.id), 'utf8')
  expect(text).toContain('# of somebody else')
  expect(parse(text)).toMatchObject({
    runs: 3,
    system: 'Be brief',
    consent: { allow: [{ tool: 'echo', when: 'true' }, 'it.echo'] },
  })
  await expect(bench.run('evals.run', { suite: suite.id, models: ['scripted:/etc/passwd'] })).rejects.toThrow(
    'model: expected offline',
  )
  await expect(bench.run('evals.run', { suite: suite.id, runs: 1_000, cases: [0, 0] })).resolves.toBeDefined()
  await bench.run('evals.stop', { suite: suite.id })
  await expect(bench.run('evals.text', { suite: '../kept.json' })).rejects.toThrow('no name for a file of eval cases')
  await bench.run('evals.put', { suite: suite.id, index: 0, case: { promt: 'x' } }).then(
    () => expect.unreachable(),
    ({ message }) => expect(message).toContain('did you mean prompt?'),
  )
  await bench.run('evals.remove', { suite: suite.id, index: 1 })
  await bench.run('evals.delete', { suite: suite.id })
  expect((await bench.run('evals.list', {})).suites).toEqual([])
})
