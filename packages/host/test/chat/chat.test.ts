/** Conversations of the scripted model with a real server process; needs a build. */
import { describe, expect, test } from 'vitest'
import {
  chat,
  createTranscript,
  type ResultEntry,
  type ScriptedRule,
  scriptedModel,
  type Transcript,
} from '../../src/chat.ts'
import { allOf, emptyToolbox, ofType, startWorkshop, textIn } from './workshop.suite.ts'

const resultsIn = ({ entries }: Transcript): ResultEntry[] =>
  entries.filter((entry): entry is ResultEntry => entry.type === 'result')
const wordsIn = (transcript: Transcript): string[] =>
  resultsIn(transcript).map(({ content }) =>
    content.map((part) => ('text' in part ? part.text : part.mediaType)).join('|'),
  )

const rain: ScriptedRule[] = [
  { when: /rain in (\w+)/, reasoning: 'A tool knows', calls: [{ name: 'shop__forecast', arguments: { city: '{1}' } }] },
  { after: 'shop__forecast', text: 'Yes: {result}', usage: { inputTokens: 100, outputTokens: 10 } },
]

/** Asks once for calls, then answers. */
const calling = (...calls: NonNullable<ScriptedRule['calls']>): ScriptedRule[] => [
  { step: 1, calls },
  { text: 'Done.' },
]

test('a question leads to a call, and the result to an answer', async () => {
  const { toolbox } = await startWorkshop()
  const events = await allOf(chat(toolbox, scriptedModel(rain), 'Will it rain in Bergen?'))
  expect(events.filter(({ type }) => type !== 'text' && type !== 'reasoning').map(({ type }) => type)).toEqual([
    'tool-call',
    'tool-result',
    'step-end',
    'step-end',
    'done',
  ])
  expect(events.findIndex(({ type }) => type === 'reasoning')).toBeLessThan(
    events.findIndex(({ type }) => type === 'tool-call'),
  )
  expect(ofType(events, 'tool-call')[0]).toMatchObject({
    name: 'shop__forecast',
    server: 'shop',
    arguments: { city: 'Bergen' },
  })
  expect(ofType(events, 'tool-result')[0]).toMatchObject({
    outcome: 'ok',
    result: { content: [{ text: 'Rain in Bergen, 9 °C' }] },
  })
  expect(textIn(events)).toBe('Yes: Rain in Bergen, 9 °C')
  expect(ofType(events, 'text').length).toBeGreaterThan(1)
  expect(ofType(events, 'step-end')[1]!.usage).toMatchObject({ inputTokens: 100, outputTokens: 10 })
  const done = ofType(events, 'done')[0]!
  expect(done).toMatchObject({ reason: 'answered', steps: 2, text: 'Yes: Rain in Bergen, 9 °C' })
  expect(done.usage.inputTokens).toBeGreaterThan(100)
})

test('a second question goes on with the transcript of the first', async () => {
  const { toolbox } = await startWorkshop()
  const transcript = createTranscript()
  await allOf(chat(toolbox, scriptedModel(rain), 'Will it rain in Bergen?', { transcript }))
  const saved = createTranscript(JSON.parse(JSON.stringify(transcript)))
  const events = await allOf(chat(toolbox, scriptedModel(rain), 'And rain in Oslo?', { transcript: saved }))
  expect(textIn(events)).toBe('Yes: Rain in Oslo, 9 °C')
  expect(saved.entries.filter(({ type }) => type === 'user')).toHaveLength(2)
})

describe('calls', () => {
  test('that only read run together', async () => {
    const { toolbox } = await startWorkshop()
    const meet = { name: 'shop__meet', arguments: { people: 3 } }
    const events = await allOf(chat(toolbox, scriptedModel(calling(meet, meet, meet)), 'Meet'))
    expect(ofType(events, 'tool-result').map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
  })

  test('that change something run one after the other, in the order of the model', async () => {
    const { toolbox, log } = await startWorkshop()
    const note = (note: string) => ({ name: 'shop__write_note', arguments: { note } })
    await allOf(chat(toolbox, scriptedModel(calling(note('a'), note('b'), note('c'))), 'Write'))
    expect(log()).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c'])
  })

  test('report progress', async () => {
    const { toolbox } = await startWorkshop()
    const events = await allOf(
      chat(toolbox, scriptedModel(calling({ name: 'shop__steps', arguments: { count: 3 } })), 'Go'),
    )
    const progress = ofType(events, 'tool-progress')
    expect(progress.at(-1)).toMatchObject({ name: 'shop__steps', total: 3 })
    expect(events.findIndex(({ type }) => type === 'tool-result')).toBeGreaterThan(events.indexOf(progress.at(-1)!))
  })

  test('may become tasks, whose status is reported', async () => {
    const { toolbox } = await startWorkshop()
    const events = await allOf(chat(toolbox, scriptedModel(calling({ name: 'shop__long_job' })), 'Go'))
    expect(ofType(events, 'tool-result')[0]).toMatchObject({
      outcome: 'ok',
      result: { content: [{ text: 'the job is done' }] },
    })
    expect(ofType(events, 'tool-progress').some(({ task }) => task !== undefined)).toBe(true)
  })

  test('that cannot be made are explained to the model, and none of them reaches a server', async () => {
    const { toolbox, log } = await startWorkshop()
    const transcript = createTranscript()
    const calls = calling(
      { name: 'shop__forecst', arguments: {} },
      { name: 'shop__forecast', input: '{"city": "Ber' },
      { name: 'shop__forecast', input: '["Bergen"]' },
      { name: '__proto__', arguments: {} },
      { name: 'constructor', arguments: {} },
    )
    const events = await allOf(chat(toolbox, scriptedModel(calls), 'Go', { transcript }))
    expect(ofType(events, 'tool-result').every(({ outcome }) => outcome === 'error')).toBe(true)
    const [unknown, malformed, list, ...prototype] = wordsIn(transcript)
    expect(unknown).toMatch(/There is no tool "shop__forecst".*shop__/)
    expect(malformed).toMatch(/not valid JSON.*\{"city": "Ber/)
    expect(list).toMatch(/have to be a JSON object; found a list/)
    expect(prototype[0]).toMatch(/There is no tool "__proto__"/)
    expect(prototype[1]).toMatch(/There is no tool "constructor"/)
    expect(log()).toEqual([])
    expect(textIn(events)).toBe('Done.')
  })

  test('that fail are explained to the model', async () => {
    const { toolbox } = await startWorkshop()
    const transcript = createTranscript()
    const calls = calling({ name: 'shop__fail' }, { name: 'shop__forecast', arguments: { city: 5 } })
    await allOf(chat(toolbox, scriptedModel(calls), 'Go', { transcript }))
    const [failed, invalid] = wordsIn(transcript)
    expect(failed).toMatch(/The printer is out of paper/)
    expect(invalid).toMatch(/city/)
    expect(resultsIn(transcript).map(({ outcome }) => outcome)).toEqual(['error', 'error'])
  })

  test('without consent are explained to the model', async () => {
    const { toolbox } = await startWorkshop()
    const refused = Object.assign(new Error('Ada said no'), { code: 'refused' })
    const careful = { ...toolbox, callTool: () => Promise.reject(refused) }
    const transcript = createTranscript()
    const events = await allOf(chat(careful, scriptedModel(calling({ name: 'shop__fail' })), 'Go', { transcript }))
    expect(ofType(events, 'tool-result')[0]!.outcome).toBe('refused')
    expect(wordsIn(transcript)[0]).toMatch(/not allowed: Ada said no/)
  })
})

describe('cancelling', () => {
  test('a running call ends it at the server, and the model reads of it later', async () => {
    const { toolbox, log } = await startWorkshop()
    const transcript = createTranscript()
    const stop = new AbortController()
    const rules = calling({ name: 'shop__wait_forever' }, { name: 'shop__write_note', arguments: { note: 'never' } })
    const running = allOf(chat(toolbox, scriptedModel(rules), 'Wait', { transcript, signal: stop.signal }))
    await expect.poll(log).toContain('waiting')
    stop.abort()
    const events = await running
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'cancelled' })
    await expect.poll(log).toEqual(['waiting', 'cancelled'])
    expect(resultsIn(transcript).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled'])
    const next = await allOf(chat(toolbox, scriptedModel(rules), 'Go on', { transcript }))
    expect(textIn(next)).toBe('Done.')
  })

  test('an answer keeps the text that was seen', async () => {
    const stop = new AbortController()
    const transcript = createTranscript()
    const model = scriptedModel([{ text: 'A long answer about the weather' }], { chunkSize: 2 })
    const events = []
    for await (const event of chat(emptyToolbox, model, 'Go', { transcript, signal: stop.signal })) {
      events.push(event)
      if (textIn(events).length >= 6) stop.abort()
    }
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'cancelled', text: 'A long' })
    expect(transcript.entries.at(-1)).toMatchObject({
      type: 'assistant',
      finish: 'cancelled',
      content: [{ text: 'A long' }],
    })
  })

  test('leaving the loop cancels the running calls', async () => {
    const { toolbox, log } = await startWorkshop()
    for await (const event of chat(toolbox, scriptedModel(calling({ name: 'shop__wait_forever' })), 'Go')) {
      if (event.type !== 'tool-call') continue
      await expect.poll(log).toContain('waiting')
      break
    }
    await expect.poll(log).toContain('cancelled')
  })

  test('leaving the loop leaves no call that was begun without a result', async () => {
    const { toolbox, log } = await startWorkshop()
    const transcript = createTranscript()
    const model = scriptedModel(
      calling({ name: 'shop__wait_forever' }, { name: 'shop__write_note', arguments: { note: 'x' } }),
    )
    for await (const event of chat(toolbox, model, 'Go', { transcript })) {
      if (event.type !== 'tool-call') continue
      await expect.poll(log).toContain('waiting')
      break
    }
    expect(resultsIn(transcript).map(({ outcome }) => outcome)).toEqual(['cancelled'])
  })

  test('does not wait for a toolbox that ignores its signal', async () => {
    const { toolbox } = await startWorkshop()
    const stop = new AbortController()
    const deaf = { ...toolbox, callTool: () => new Promise<never>(() => stop.abort()) }
    const events = await allOf(
      chat(deaf, scriptedModel(calling({ name: 'shop__fail' })), 'Go', { signal: stop.signal }),
    )
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'cancelled' })
  })

  test('has no text of an earlier answer', async () => {
    const transcript = createTranscript()
    await allOf(chat(emptyToolbox, scriptedModel([{ text: 'Old' }]), 'Hi', { transcript }))
    const signal = AbortSignal.abort()
    const events = await allOf(chat(emptyToolbox, scriptedModel([]), 'Go', { transcript, signal }))
    expect(events).toMatchObject([{ type: 'done', reason: 'cancelled', text: '' }])
  })

  test('before the beginning asks nobody', async () => {
    const events = await allOf(chat(emptyToolbox, scriptedModel([]), 'Go', { signal: AbortSignal.abort() }))
    expect(events).toMatchObject([{ type: 'done', reason: 'cancelled', steps: 0 }])
  })
})

describe('limits', () => {
  const endless: ScriptedRule[] = [
    {
      calls: [{ name: 'shop__write_note', arguments: { note: 'again' } }],
      usage: { inputTokens: 900, outputTokens: 100 },
    },
  ]

  test('a model that never stops calling is stopped after some steps, and the last calls are not made', async () => {
    const { toolbox, log } = await startWorkshop()
    const events = await allOf(chat(toolbox, scriptedModel(endless), 'Go', { limits: { maxSteps: 3 } }))
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'steps', steps: 3 })
    expect(log().filter((line) => line.startsWith('begin'))).toHaveLength(2)
    expect(ofType(events, 'tool-result').at(-1)!.outcome).toBe('limit')
  })

  test('tokens and cost end a conversation', async () => {
    const { toolbox } = await startWorkshop()
    const tokens = await allOf(chat(toolbox, scriptedModel(endless), 'Go', { limits: { maxTokens: 2_000 } }))
    expect(tokens.at(-1)).toMatchObject({ type: 'done', reason: 'tokens', steps: 2 })
    const prices = { input: 1000, output: 10_000 }
    const cost = await allOf(chat(toolbox, scriptedModel(endless), 'Go', { limits: { maxCost: 3 }, prices }))
    expect(cost.at(-1)).toMatchObject({ type: 'done', reason: 'cost', steps: 2, cost: 3.8 })
  })

  test('a limit that is no positive number is a mistake', async () => {
    await expect(allOf(chat(emptyToolbox, scriptedModel([]), 'Go', { limits: { maxSteps: 0 } }))).rejects.toThrow(
      'limits.maxSteps: expected a positive number',
    )
  })
})

test.each([
  [{ modelTimeoutMs: Number.NaN }, 'chat.modelTimeoutMs: expected a number from 0, got NaN'],
  [{ callTimeoutMs: -1 }, 'chat.callTimeoutMs: expected a number from 0, got -1'],
  [{ retry: { retries: Number.NaN } }, 'chat.retry.retries: expected a number from 0, got NaN'],
  [{ limits: { maxSteps: -1 } }, 'limits.maxSteps: expected a positive number, got -1'],
])('a conversation with %o does not begin', async (options, message) => {
  await expect(allOf(chat(emptyToolbox, scriptedModel([]), 'Hi', options))).rejects.toThrow(message)
})
