import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model on this machine, with the streams of Anthropic's Messages API. It knows two cities, and asks for forecasts. */
export interface StandIn extends AsyncDisposable {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string
}

interface Block {
  type: string
  text?: string
  content?: string | Block[]
}

interface Request {
  tools: { name: string }[]
  messages: { role: string; content: string | Block[] }[]
}

interface StreamEvent {
  type: string
  [member: string]: unknown
}

export async function startStandIn(key: string): Promise<StandIn> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { 'x-api-key': own, authorization } = request.headers
    const refusal = refuse(request.url, own === key || authorization === `Bearer ${key}`)
    if (refusal) {
      const [status, type, message] = refusal
      response.writeHead(status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ type: 'error', error: { type, message } }))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of answer(JSON.parse(`${Buffer.concat(chunks)}`))) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The AI SDK takes an address with the version of the API, Anthropic's own SDK one without: both paths end the same way. */
function refuse(path: string | undefined, hasKey: boolean): [number, string, string] | undefined {
  if (!path?.endsWith('/messages')) return [404, 'not_found_error', `There is no ${path}`]
  return hasKey ? undefined : [401, 'authentication_error', 'The key is not valid']
}

const places = new Map([
  ['Sacramento', { latitude: 38.5816, longitude: -121.4944 }],
  ['London', { latitude: 51.5, longitude: -0.12 }],
])

const textOf = (content: string | Block[] = ''): string =>
  typeof content === 'string' ? content : content.map((block) => block.text ?? textOf(block.content)).join('\n')

/** The forecast after a tool result, and a call before it. */
function answer({ messages, tools }: Request): StreamEvent[] {
  const last = messages.at(-1)
  const text = textOf(last?.content)
  const isResult = Array.isArray(last?.content) && last.content.some(({ type }) => type === 'tool_result')
  if (isResult) return say(wordsFor(text))
  const name = tools.find((tool) => tool.name.endsWith('get_forecast'))?.name
  const place = [...places].find(([city]) => text.includes(city))?.[1]
  return name && place ? use(name, place, messages.length) : say('I know the weather of Sacramento.')
}

function wordsFor(result: string): string {
  const forecast = /"detailedForecast":\s*"([^"]*)"/.exec(result)
  // The host marks data of servers, so that the model takes none of it for instructions.
  return forecast ? `Today: ${forecast[1]}` : `There is no forecast. ${result.replace(/<[^>]*>/g, '').trim()}`
}

const usage = { input_tokens: 400, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 }
const common = { id: 'msg_1', type: 'message', role: 'assistant', model: 'stand-in' }

const stream = (block: object, deltas: object[], reason: string): StreamEvent[] => [
  { type: 'message_start', message: { ...common, content: [], stop_reason: null, stop_sequence: null, usage } },
  { type: 'content_block_start', index: 0, content_block: block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: 'message_stop' },
]

const say = (text: string): StreamEvent[] =>
  stream(
    { type: 'text', text: '' },
    text.split(/(?<= )/).map((word) => ({ type: 'text_delta', text: word })),
    'end_turn',
  )

const use = (name: string, input: object, count: number): StreamEvent[] =>
  stream(
    { type: 'tool_use', id: `toolu_${count}`, name, input: {} },
    [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
    'tool_use',
  )
