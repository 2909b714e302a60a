/** A host, real server processes and a scripted model: a whole conversation. */
import { expect, test } from 'vitest'
import { type ChatEvent, scriptedModel } from '../src/chat.ts'
import { createHost, policy, type Question } from '../src/index.ts'
import { scripted } from './scripted.ts'

async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

const model = scriptedModel([
  { when: 'rain', calls: [{ name: 'weather__forecast', arguments: { city: 'Bergen' } }] },
  { after: 'weather__forecast', text: 'The server says {result}' },
])

test('the model uses the tools of the host, after consent', async () => {
  using weather = scripted({ tools: [{ name: 'forecast' }] })
  const asked: Question[] = []
  await using host = await createHost({
    servers: { weather: weather.config },
    consent: policy({ ask: ['weather.*'] }),
    ask: (question) => {
      asked.push(question)
      return 'once'
    },
    model,
  })
  await host.ready()
  const events = await collect(host.chat('Will it rain in Bergen?'))
  expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'answered', text: 'The server says {"city":"Bergen"}' })
  expect(asked).toMatchObject([{ kind: 'consent', server: 'weather', name: 'forecast', args: { city: 'Bergen' } }])
})

test('a call that is refused comes back to the model in words', async () => {
  using weather = scripted({ tools: [{ name: 'forecast' }] })
  await using host = await createHost({
    servers: { weather: weather.config },
    consent: policy({ ask: ['weather.*'] }),
    ask: () => 'deny',
    model,
  })
  await host.ready()
  const events = await collect(host.chat('Will it rain in Bergen?'))
  expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ outcome: 'refused' })
  expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'answered' })
})

test('a call that is stopped while it waits for consent was not made, and nobody is told that it may have had an effect', async () => {
  using weather = scripted({ tools: [{ name: 'forecast' }] })
  const stop = new AbortController()
  await using host = await createHost({
    servers: { weather: weather.config },
    consent: policy({ ask: ['weather.*'] }),
    ask: () => {
      stop.abort()
      return new Promise(() => {})
    },
    model,
  })
  await host.ready()
  const events = await collect(host.chat('Will it rain in Bergen?', { signal: stop.signal }))
  const ended = events.find((event) => event.type === 'tool-result')
  expect(ended).toMatchObject({
    outcome: 'cancelled',
    result: {
      content: [{ text: 'The conversation was stopped while this call waited for consent: it was not made.' }],
    },
  })
})

test('a conversation says which servers are not started yet, because their tools are not known', async () => {
  using weather = scripted({ tools: [{ name: 'forecast' }] })
  await using host = await createHost({
    servers: { weather: { ...weather.config, start: 'lazy' } },
    consent: policy({ allow: ['*'] }),
    model: scriptedModel([{ text: 'I have no tools.' }]),
  })
  const [first] = await collect(host.chat('Will it rain in Bergen?'))
  expect(first).toEqual({
    type: 'notice',
    kind: 'not-started',
    message:
      'weather is not started yet: its tools are not known before host.ready(), or before a call of one of them.',
  })
  await host.ready()
  const events = await collect(host.chat('Will it rain in Bergen?'))
  expect(events.filter(({ type }) => type === 'notice')).toEqual([])
})

test('a host without a model says so', async () => {
  await using host = await createHost()
  await expect(collect(host.chat('hello'))).rejects.toMatchObject({ code: 'invalid_argument' })
})
