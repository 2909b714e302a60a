import {
  type ElicitAnswer,
  type InputRequest,
  inputRequired,
  prompt,
  type ServerPrompt,
  type ServerTool,
  tool,
} from '@tenon/sdk/server'

const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const
const colorForm = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] } as const
const okForm = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } as const
const contextForm = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] } as const

const samplingOf = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  maxTokens: 100,
})

const confirmation: InputRequest = {
  method: 'elicitation/create',
  params: {
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  },
}

const describe = (answer: ElicitAnswer<unknown>): string =>
  answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action

/** Tools whose input requests travel in their results, from 2026-07-28. Older clients get requests. */
export const inputRequiredTools: ServerTool[] = [
  tool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks the user for a name',
    async run(_, ctx) {
      const answer = await ctx.elicit('What is your name?', nameForm, { key: 'user_name' })
      return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : `No name: ${answer.action}`
    },
  }),
  tool({
    name: 'test_input_required_result_sampling',
    description: "Asks the client's model",
    run: async (_, ctx) => (await ctx.sample(samplingOf('What is the capital of France?'))).text,
  }),
  tool({
    name: 'test_input_required_result_list_roots',
    description: 'Asks where it may work',
    run: async (_, ctx) => (await ctx.roots()).map(({ uri }) => uri),
  }),
  tool({
    name: 'test_input_required_result_request_state',
    description: 'Asks with a state of its own',
    run(_, ctx) {
      const { confirm } = ctx.inputResponses
      if (confirm !== undefined && ctx.requestState === 'asked') return `state-ok: ${JSON.stringify(confirm)}`
      return inputRequired({ requests: { confirm: confirmation }, state: 'asked' })
    },
  }),
  tool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks the user, the model and for roots at once',
    async run(_, ctx) {
      const [name, greeting, roots] = await Promise.all([
        ctx.elicit('What is your name?', nameForm),
        ctx.sample(samplingOf('Generate a greeting')),
        ctx.roots(),
      ])
      return [describe(name), greeting.text, ...roots.map(({ uri }) => uri)]
    },
  }),
  tool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice, one after the other',
    async run(_, ctx) {
      const name = await ctx.elicit('Step 1: What is your name?', nameForm)
      const color = await ctx.elicit('Step 2: What is your favorite color?', colorForm)
      return [describe(name), describe(color)]
    },
  }),
  tool({
    name: 'test_input_required_result_tampered_state',
    description: 'Asks with a state that must come back as it was',
    run: async (_, ctx) => describe(await ctx.elicit('Please confirm', okForm)),
  }),
  tool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks only for what the client can do',
    async run(_, ctx) {
      const { elicitation, sampling } = ctx.caller.capabilities
      const answers = await Promise.all([
        elicitation && ctx.elicit('What is your name?', nameForm).then(describe),
        sampling && ctx.sample(samplingOf('Say hello')).then(({ text }) => text),
      ])
      return answers.filter((answer) => answer !== undefined)
    },
  }),
]

export const inputRequiredPrompts: ServerPrompt[] = [
  prompt({
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks the user what it is about',
    async run(_, ctx) {
      const answer = await ctx.elicit('What context should the prompt use?', contextForm)
      return answer.action === 'accept' ? `Use this context: ${answer.content.context}` : 'There is no context'
    },
  }),
]
