import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type {
  CreateMessageParams,
  CreateMessageResult,
  SamplingContent,
  SamplingMessage,
} from '../../model/sampling.ts'
import type { Codec } from '../../wire/codec.ts'
import { toError } from '../options.ts'
import { notFound } from './answer-errors.ts'
import type { AnswerProvider, InputSources, ReceivedInputRequest } from './input-sources.ts'

/** Answers `sampling/createMessage` with the user's handler. */
export function prepareSampling(
  { params, context, connection, declared }: ReceivedInputRequest,
  { settings: { sample } }: InputSources,
): AnswerProvider<CreateMessageResult> {
  if (sample === undefined) throw notFound('sampling/createMessage')
  const request = params as unknown as CreateMessageParams
  const usesTools = request.tools !== undefined || request.toolChoice !== undefined
  if (usesTools && declared.sampling?.tools === undefined) {
    throw invalid('tools and toolChoice need the client capability sampling.tools, which was not declared')
  }
  assertToolBalance(request.messages)
  const handler = typeof sample === 'function' ? sample : sample.handler
  return async () => {
    const result = await handler(request, context)
    assertSampled(connection.codec, result)
    if (!mayUseTools(request)) assertNoToolUse(result)
    return result
  }
}

/** Every tool use is followed by its results, and results stand alone in their message. */
function assertToolBalance(messages: readonly SamplingMessage[]): void {
  let open: ReadonlySet<string> = new Set()
  for (const [index, { content }] of messages.entries()) {
    const blocks = Array.isArray(content) ? content : [content]
    const answered = new Set(blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])))
    if (answered.size > 0 && blocks.some(({ type }) => type !== 'tool_result')) {
      throw invalid(`messages[${index}] mixes tool results with other content`)
    }
    const missing = [...open].find((id) => !answered.has(id))
    if (missing !== undefined)
      throw invalid(`messages[${index}] lacks the result of tool use ${JSON.stringify(missing)}`)
    const stray = [...answered].find((id) => !open.has(id))
    if (stray !== undefined) throw invalid(`messages[${index}] answers the unknown tool use ${JSON.stringify(stray)}`)
    open = toolUses(blocks)
  }
  const [unanswered] = open
  if (unanswered !== undefined) throw invalid(`the result of tool use ${JSON.stringify(unanswered)} is missing`)
}

const toolUses = (blocks: readonly SamplingContent[]): ReadonlySet<string> =>
  new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])))

const invalid = (why: string): RpcError => new RpcError(ErrorCode.InvalidParams, `sampling/createMessage: ${why}`)

function assertSampled(codec: Codec, result: unknown): void {
  try {
    codec.decodeResult('sampling/createMessage', result as JsonObject)
  } catch (error) {
    throw wrong(toError(error).message)
  }
}

const mayUseTools = ({ tools, toolChoice }: CreateMessageParams): boolean =>
  tools !== undefined && tools.length > 0 && toolChoice?.mode !== 'none'

function assertNoToolUse({ content }: CreateMessageResult): void {
  const blocks = Array.isArray(content) ? content : [content]
  if (toolUses(blocks).size > 0) throw wrong('content: a tool use, which the request does not allow')
}

const wrong = (why: string): McpError => new McpError('invalid_argument', `sample returned a wrong result: ${why}`)
