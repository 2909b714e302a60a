/** The documented streams of the providers, for the same small conversations. */
import { type cut, failure, type Json, type StandInReply, stream } from './stand-in.suite.ts'

export interface Wire {
  model: string
  /** Where the API begins, below the address of the stand-in. */
  path: string
  say(text: string): StandInReply
  call(id: string, name: string, args: string): StandInReply
  refuse(): StandInReply
  /** The stream ends after a part of the text: the connection breaks, or closes as if all were well. */
  cutAfter(text: string, end: typeof cut | ''): StandInReply
  rateLimited(): StandInReply
  overloaded(): StandInReply
  /** The tool definitions of a request, by name. */
  toolsIn(body: Json): { [name: string]: Json }
  /** The text of the last tool result in a request. */
  resultIn(body: Json): string
}

const typed = (data: { type: string; [name: string]: unknown }) => ({ event: data.type, data })

const anthropicStart = typed({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-stand-in',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 25, cache_read_input_tokens: 5, cache_creation_input_tokens: 0, output_tokens: 1 },
  },
})
const anthropicText = (text: string) => [
  typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  typed({ type: 'ping' }),
  typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
]
const anthropicEnd = (reason: string) => [
  typed({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 15 } }),
  typed({ type: 'message_stop' }),
]

const anthropic: Wire = {
  model: 'anthropic/claude-stand-in',
  path: '/v1',
  say: (text) =>
    stream(
      anthropicStart,
      ': keep-alive\n\n',
      ...anthropicText(text),
      typed({ type: 'content_block_stop', index: 0 }),
      ...anthropicEnd('end_turn'),
    ),
  call: (id, name, args) =>
    stream(
      anthropicStart,
      typed({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      }),
      typed({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'A tool knows' } }),
      typed({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } }),
      typed({ type: 'content_block_stop', index: 0 }),
      typed({ type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id, name, input: {} } }),
      typed({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: args.slice(0, 5) },
      }),
      typed({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: args.slice(5) },
      }),
      typed({ type: 'content_block_stop', index: 1 }),
      ...anthropicEnd('tool_use'),
    ),
  refuse: () => stream(anthropicStart, ...anthropicEnd('refusal')),
  cutAfter: (text, end) => stream(anthropicStart, ...anthropicText(text), end),
  rateLimited: () =>
    failure(429, { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }, { 'retry-after': '0' }),
  overloaded: () => failure(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  toolsIn: ({ tools }) => Object.fromEntries(tools.map((tool: Json) => [tool.name, tool.input_schema])),
  resultIn: ({ messages }) => messages.at(-1).content.find((part: Json) => part.type === 'tool_result').content,
}

const chunk = (delta: object, finish: string | null = null) => ({
  data: {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'stand-in',
    choices: [{ index: 0, delta, finish_reason: finish }],
  },
})
const chatUsage = {
  data: {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'stand-in',
    choices: [],
    usage: { prompt_tokens: 25, completion_tokens: 15, total_tokens: 40, prompt_tokens_details: { cached_tokens: 5 } },
  },
}
const chatEnd = 'data: [DONE]\n\n'

const compatible: Wire = {
  model: '#stand-in',
  path: '/v1',
  say: (text) =>
    stream(
      chunk({ role: 'assistant', content: '' }),
      ': ping\n\n',
      chunk({ content: text }),
      chunk({}, 'stop'),
      chatUsage,
      chatEnd,
    ),
  call: (id, name, args) =>
    stream(
      chunk({
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: args.slice(0, 5) } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: args.slice(5) } }] }),
      chunk({}, 'tool_calls'),
      chatUsage,
      chatEnd,
    ),
  refuse: () => stream(chunk({ role: 'assistant', content: '' }), chunk({}, 'content_filter'), chatUsage, chatEnd),
  cutAfter: (text, end) => stream(chunk({ role: 'assistant', content: text }), end),
  rateLimited: () =>
    failure(
      429,
      { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } },
      { 'retry-after': '0' },
    ),
  overloaded: () => failure(503, { error: { message: 'Overloaded', type: 'server_error', code: null } }),
  toolsIn: ({ tools }) => Object.fromEntries(tools.map((tool: Json) => [tool.function.name, tool.function.parameters])),
  resultIn: ({ messages }) => messages.findLast((message: Json) => message.role === 'tool').content,
}

let sequence = 0
const response = (type: string, more: object) => ({ event: type, data: { type, sequence_number: sequence++, ...more } })
const responseObject = (more: object) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'stand-in',
  output: [],
  usage: null,
  ...more,
})
const created = response('response.created', { response: responseObject({ status: 'in_progress' }) })
const completed = (status = 'completed', more: object = {}) =>
  response(`response.${status}`, {
    response: responseObject({
      status,
      usage: {
        input_tokens: 25,
        input_tokens_details: { cached_tokens: 5 },
        output_tokens: 15,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 40,
      },
      ...more,
    }),
  })
const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }

const responses: Wire = {
  model: 'openai/gpt-stand-in',
  path: '/v1',
  say: (text) =>
    stream(
      created,
      ': keep-alive\n\n',
      response('response.output_item.added', { output_index: 0, item: message }),
      response('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } }),
      response('response.output_text.delta', { ...place, delta: text }),
      response('response.output_text.done', { ...place, text }),
      response('response.output_item.done', {
        output_index: 0,
        item: { ...message, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
      }),
      completed(),
    ),
  call: (id, name, args) => {
    const item = { id: 'fc_1', type: 'function_call', call_id: id, name }
    return stream(
      created,
      response('response.output_item.added', {
        output_index: 0,
        item: { ...item, arguments: '', status: 'in_progress' },
      }),
      response('response.function_call_arguments.delta', { item_id: 'fc_1', output_index: 0, delta: args }),
      response('response.function_call_arguments.done', { item_id: 'fc_1', output_index: 0, arguments: args }),
      response('response.output_item.done', {
        output_index: 0,
        item: { ...item, arguments: args, status: 'completed' },
      }),
      completed(),
    )
  },
  refuse: () => stream(created, completed('incomplete', { incomplete_details: { reason: 'content_filter' } })),
  cutAfter: (text, end) =>
    stream(
      created,
      response('response.output_item.added', { output_index: 0, item: message }),
      response('response.output_text.delta', { ...place, delta: text }),
      end,
    ),
  rateLimited: compatible.rateLimited,
  overloaded: compatible.overloaded,
  toolsIn: ({ tools }) => Object.fromEntries(tools.map((tool: Json) => [tool.name, tool.parameters])),
  resultIn: ({ input }) => input.findLast((item: Json) => item.type === 'function_call_output').output,
}

const candidate = (parts: object[], finishReason?: string) => ({
  data: {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 25, candidatesTokenCount: 15, totalTokenCount: 40, cachedContentTokenCount: 5 },
    modelVersion: 'stand-in',
  },
})

const google: Wire = {
  model: 'google/gemini-stand-in',
  path: '/v1beta',
  say: (text) => stream(candidate([{ text: text.slice(0, 3) }]), candidate([{ text: text.slice(3) }], 'STOP')),
  call: (_id, name, args) =>
    stream(candidate([{ functionCall: { name, args: JSON.parse(args) }, thoughtSignature: 'c2lnbmVk' }], 'STOP')),
  refuse: () => stream(candidate([], 'SAFETY')),
  cutAfter: (text, end) => stream(candidate([{ text }]), end),
  rateLimited: () =>
    failure(429, { error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }, { 'retry-after': '0' }),
  overloaded: () => failure(503, { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
  toolsIn: ({ tools }) =>
    Object.fromEntries(
      tools
        .flatMap((tool: Json) => tool.functionDeclarations)
        .map((tool: Json) => [tool.name, tool.parameters ?? tool.parametersJsonSchema]),
    ),
  resultIn: ({ contents }) =>
    contents.at(-1).parts.find((part: Json) => part.functionResponse).functionResponse.response.content,
}

export const wires: { [name: string]: Wire } = {
  'Anthropic Messages': anthropic,
  'OpenAI Responses': responses,
  'OpenAI-compatible chat completions': compatible,
  'Google Gemini': google,
}
