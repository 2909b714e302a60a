/** Models fit from both sides, in types and at run time. */
import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider'
import { expect, expectTypeOf, test } from 'vitest'
import { type AnyLanguageModel, chat, type LanguageModel, scriptedModel } from '../../src/chat.ts'
import type { ModelCallOptions, ModelStreamPart } from '../../src/models/language-model.ts'
import { allOf, startWorkshop, textIn } from '../chat/workshop.suite.ts'

test('models of the AI SDK are accepted, and the scripted model is one', () => {
  expectTypeOf<LanguageModelV3>().toExtend<AnyLanguageModel>()
  expectTypeOf<LanguageModelV2>().toExtend<AnyLanguageModel>()
  expectTypeOf(scriptedModel([])).toExtend<LanguageModelV3>()
})

/** A model of version 4 wraps the data of files, in the prompt and in its answers. */
function version4(seen: ModelCallOptions[], replies: ModelStreamPart[][]) {
  return {
    specificationVersion: 'v4',
    provider: 'anthropic.messages',
    modelId: 'newer',
    doGenerate: () => Promise.reject(new Error('not used')),
    async doStream(options: ModelCallOptions) {
      seen.push(options)
      const parts = replies.shift()!.values()
      const pull = (controller: ReadableStreamDefaultController<ModelStreamPart>): void => {
        const { done, value } = parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      }
      return { stream: new ReadableStream<ModelStreamPart>({ pull }) }
    },
  }
}

test('a model of version 4 gets and gives files in its own shape', async () => {
  const { toolbox } = await startWorkshop()
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
  const seen: ModelCallOptions[] = []
  const model = version4(seen, [
    [
      { type: 'ping' } as never,
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } } as never,
      { type: 'tool-call', toolCallId: 'c1', toolName: 'shop__media', input: '{}' },
      { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: 'tool_use' } },
    ],
    [
      { type: 'text-delta', id: '1', delta: 'Seen.' },
      { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'end_turn' } },
    ],
  ])
  const events = await allOf(chat(toolbox, model as unknown as LanguageModel, 'Show me'))
  expect(textIn(events)).toBe('Seen.')
  const [, , answer, results] = seen[1]!.prompt as unknown as {
    content: { data: unknown; output: { value: unknown[] } }[]
  }[]
  expect(answer!.content[0]!.data).toEqual({ type: 'data', data: 'AAAA' })
  expect(results!.content[0]!.output.value[1]).toMatchObject({
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'data' },
  })
})

test.each([
  [
    { ...scriptedModel([]), specificationVersion: 'v2' },
    /scripted\/scripted has the version "v2": expected v3 or v4; AI SDK 6/,
  ],
  [{ ...scriptedModel([]), specificationVersion: 'v9' }, /has the version "v9": expected v3 or v4$/],
  [{} as AnyLanguageModel, /Expected a model of the AI SDK or a name/],
])('other models are refused in words', async (model, expected) => {
  const { toolbox } = await startWorkshop()
  const events = await allOf(chat(toolbox, model, 'Hi'))
  expect(events).toMatchObject([
    { type: 'error', error: { code: 'model_unknown', message: expect.stringMatching(expected) } },
  ])
})
