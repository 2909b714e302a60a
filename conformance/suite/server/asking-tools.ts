import { type ElicitAnswer, type ServerTool, tool } from '@tenon/sdk/server'

const describeAnswer = (answer: ElicitAnswer<unknown>): string =>
  `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`

const person = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
} as const

const withDefaults = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
} as const

const titled = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
] as const

const enums = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  },
} as const

/** Tools that need an answer of the client. */
export const askingTools: ServerTool[] = [
  tool({
    name: 'test_sampling',
    description: "Asks the client's model",
    input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    async run({ prompt }, ctx) {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }]
      const { text } = await ctx.sample({ messages, maxTokens: 100 })
      return `LLM response: ${text}`
    },
  }),
  tool({
    name: 'test_elicitation',
    description: 'Asks the user for a name and an address',
    input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: async ({ message }, ctx) => describeAnswer(await ctx.elicit(message, person)),
  }),
  tool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a form whose fields have defaults',
    run: async (_, ctx) => describeAnswer(await ctx.elicit('Please review the values', withDefaults)),
  }),
  tool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with a form of every kind of choice',
    run: async (_, ctx) => describeAnswer(await ctx.elicit('Please choose', enums)),
  }),
  tool({
    name: 'test_missing_capability',
    description: "Needs the client's model",
    async run(_, ctx) {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hello' } }]
      return (await ctx.sample({ messages, maxTokens: 10 })).text
    },
  }),
]
