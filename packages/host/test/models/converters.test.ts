/** Tools for loops of others: in the shapes of Anthropic and OpenAI, and in the loop of the AI SDK itself. */
import { generateText, stepCountIs } from 'ai'
import { describe, expect, test } from 'vitest'
import { handleToolUse, scriptedModel, toAISDKTools, toAnthropicTools, toOpenAITools } from '../../src/chat.ts'
import { startWorkshop } from '../chat/workshop.suite.ts'

test('definitions have the shape of each API', async () => {
  const { toolbox } = await startWorkshop()
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const description = 'The weather of tomorrow in a city'
  const name = 'shop__forecast'
  expect(toAnthropicTools(toolbox)).toContainEqual(
    expect.objectContaining({ name, description, input_schema: expect.objectContaining(schema) }),
  )
  expect(toOpenAITools(toolbox)).toContainEqual({
    type: 'function',
    function: expect.objectContaining({ name, description, parameters: expect.objectContaining(schema) }),
  })
  expect(toOpenAITools(toolbox, 'responses')).toContainEqual(
    expect.objectContaining({ type: 'function', name, description, strict: false }),
  )
})

describe('handleToolUse', () => {
  test('answers the calls of an Anthropic message', async () => {
    const { toolbox } = await startWorkshop()
    const content = [
      { type: 'text', text: 'Let me see' },
      { type: 'tool_use', id: 't1', name: 'shop__forecast', input: { city: 'Bergen' } },
      { type: 'tool_use', id: 't2', name: 'shop__media', input: {} },
      { type: 'tool_use', id: 't3', name: 'shop__unknown', input: {} },
    ]
    const results = await handleToolUse(toolbox, { content })
    expect(results).toMatchObject({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't1',
          content: [{ type: 'text', text: expect.stringContaining('Rain in Bergen') }],
        },
        {
          type: 'tool_result',
          tool_use_id: 't2',
          content: [{ type: 'text' }, { type: 'image', source: { type: 'base64', media_type: 'image/png' } }],
        },
        {
          type: 'tool_result',
          tool_use_id: 't3',
          is_error: true,
          content: [{ type: 'text', text: 'There is no tool "shop__unknown".' }],
        },
      ],
    })
    expect(await handleToolUse(toolbox, { content: content.slice(0, 1) })).toBeUndefined()
  })

  test('answers the calls of a chat completion', async () => {
    const { toolbox } = await startWorkshop()
    const call = (id: string, name: string, args: string) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })
    const results = await handleToolUse(toolbox, {
      tool_calls: [
        call('c1', 'shop__forecast', '{"city":"Oslo"}'),
        call('c2', 'shop__media', '{}'),
        call('c3', 'shop__forecast', '{"city"'),
      ],
    })
    expect(results).toMatchObject([
      { role: 'tool', tool_call_id: 'c1', content: expect.stringContaining('Rain in Oslo') },
      { role: 'tool', tool_call_id: 'c2' },
      { role: 'tool', tool_call_id: 'c3', content: expect.stringContaining('not valid JSON') },
      {
        role: 'user',
        content: [
          { type: 'text' },
          { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) } },
        ],
      },
    ])
    expect(await handleToolUse(toolbox, { tool_calls: null })).toBeUndefined()
  })

  test('answers the calls of a response', async () => {
    const { toolbox } = await startWorkshop()
    const output = [
      { type: 'reasoning' },
      { type: 'function_call', call_id: 'r1', name: 'shop__forecast', arguments: '{"city":"Oslo"}' },
      { type: 'function_call', call_id: 'r2', name: 'shop__fail', arguments: '' },
      { type: 'function_call', call_id: 'r3', name: 'shop__media', arguments: '{}' },
    ]
    expect(await handleToolUse(toolbox, { output })).toMatchObject([
      { type: 'function_call_output', call_id: 'r1', output: expect.stringContaining('Rain in Oslo') },
      { type: 'function_call_output', call_id: 'r2', output: expect.stringMatching(/^Error: .*out of paper/s) },
      { type: 'function_call_output', call_id: 'r3', output: [{ type: 'input_text' }, { type: 'input_image' }] },
    ])
    expect(await handleToolUse(toolbox, { output: [] })).toBeUndefined()
  })

  test('cuts a long result, and says so', async () => {
    const { toolbox } = await startWorkshop()
    const content = [{ type: 'tool_use', id: 't1', name: 'shop__print', input: { lines: 1_000 } }]
    const results = await handleToolUse(toolbox, { content }, { limits: { maxResultBytes: 1_000 } })
    const [block] = results!.content[0]!.content
    expect(block).toMatchObject({ text: expect.stringMatching(/more characters are left out\]$/) })
    expect(JSON.stringify(block).length).toBeLessThan(1_500)
  })
})

test('the loop of the AI SDK takes the tools and the scripted model', async () => {
  const { toolbox } = await startWorkshop()
  const model = scriptedModel([
    { when: /rain in (\w+)/, calls: [{ name: 'shop__forecast', arguments: { city: '{1}' } }] },
    { after: 'shop__forecast', text: 'Yes: {result}' },
  ])
  const result = await generateText({
    model,
    tools: toAISDKTools(toolbox),
    prompt: 'Will it rain in Bergen?',
    stopWhen: stepCountIs(3),
  })
  expect(result.text).toBe('Yes: Rain in Bergen, 9 °C')
  expect(result.steps).toHaveLength(2)
})
