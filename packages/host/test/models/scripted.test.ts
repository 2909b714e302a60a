/** The scripted model by itself. */
import { describe, expect, test } from 'vitest'
import { chat, type ScriptedRule, scriptedModel } from '../../src/chat.ts'
import type { ModelCallOptions, ModelStreamPart } from '../../src/models/language-model.ts'
import { allOf, emptyToolbox, ofType, textIn } from '../chat/workshop.suite.ts'

const asking = (text: string): ModelCallOptions => ({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }] })

async function partsOf(rules: ScriptedRule[], call: ModelCallOptions, chunkSize?: number): Promise<ModelStreamPart[]> {
  const { stream } = await scriptedModel(rules, chunkSize === undefined ? {} : { chunkSize }).doStream(call)
  const parts: ModelStreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

test('the same prompt has the same answer, in pieces that never divide a character', async () => {
  const rules = [{ text: 'Ægir 🌧🌧🌧' }]
  const parts = await partsOf(rules, asking('Hi'), 2)
  expect(await partsOf(rules, asking('Hi'), 2)).toEqual(parts)
  expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))).toEqual(['Æg', 'ir', ' 🌧', '🌧🌧'])
  expect(parts.at(-1)).toMatchObject({
    type: 'finish',
    finishReason: { unified: 'stop' },
    usage: { outputTokens: { total: expect.any(Number) } },
  })
})

test('the whole answer at once is the same as the stream', async () => {
  const rules: ScriptedRule[] = [{ reasoning: 'Hm', text: 'Yes', calls: [{ name: 'a', arguments: { x: '{input}' } }] }]
  const { content, finishReason, usage } = await scriptedModel(rules).doGenerate(asking('Hi'))
  expect(content).toEqual([
    { type: 'reasoning', text: 'Hm' },
    { type: 'text', text: 'Yes' },
    { type: 'tool-call', toolCallId: 'call-1-1', toolName: 'a', input: '{"x":"Hi"}' },
  ])
  expect(finishReason.unified).toBe('tool-calls')
  const parts = await partsOf(rules, asking('Hi'))
  expect(parts.at(-1)).toMatchObject({ usage })
  expect(parts.at(-2)).toEqual(content[2])
})

describe('rules', () => {
  test.each([
    ['a word in any case', [{ when: 'RAIN', text: 'yes' }], 'Rain?', 'yes'],
    [
      'the first that fits',
      [{ when: 'x', text: 'no' }, { when: 'rain', text: 'yes' }, { text: 'other' }],
      'rain',
      'yes',
    ],
    ['a rule for everything', [{ when: 'x', text: 'no' }, { text: 'other' }], 'rain', 'other'],
    [
      'groups, also missing ones',
      [{ when: /(\w+) in (\w+)( today)?/g, text: '{1}/{2}/{3}/{9}' }],
      'rain in Oslo',
      'rain/Oslo//',
    ],
  ] as [string, ScriptedRule[], string, string][])('%s', async (_name, rules, input, expected) => {
    expect(textIn(await allOf(chat(emptyToolbox, scriptedModel(rules), input)))).toBe(expected)
  })

  test('without one that fits the conversation ends with an error that says so', async () => {
    const events = await allOf(chat(emptyToolbox, scriptedModel([{ when: 'x', text: 'y' }]), 'Hello'))
    expect(events).toMatchObject([{ type: 'error', error: { message: 'The script has no reply to "Hello"' } }])
  })

  test('fail as providers do', async () => {
    const rules: ScriptedRule[] = [{ error: { status: 503, headers: { 'retry-after-ms': '1' } } }]
    const events = await allOf(chat(emptyToolbox, scriptedModel(rules), 'Hi', { retry: { retries: 2 } }))
    expect(ofType(events, 'notice').map(({ delayMs }) => delayMs)).toEqual([1, 1])
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'overloaded', status: 503 } })
    const cut = await allOf(chat(emptyToolbox, scriptedModel([{ text: 'Half', cut: true }]), 'Hi'))
    expect(cut.at(-1)).toMatchObject({ type: 'error', error: { code: 'cut_off' } })
    const filtered = await allOf(chat(emptyToolbox, scriptedModel([{ finish: 'content-filter' }]), 'Hi'))
    expect(filtered.at(-1)).toMatchObject({ type: 'error', error: { code: 'refused' } })
    const short = await allOf(chat(emptyToolbox, scriptedModel([{ text: 'Once', finish: 'length' }]), 'Hi'))
    expect(short.at(-1)).toMatchObject({ type: 'done', reason: 'length', text: 'Once' })
  })
})
