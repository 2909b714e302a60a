import { McpError } from '../../errors.ts'
import { isPrivateWebUrl } from '../../internal/web-url.ts'
import type { ElicitResult } from '../../model/elicitation.ts'
import type { ListRootsResult, Root } from '../../model/roots.ts'
import type { CreateMessageParams, CreateMessageResult } from '../../model/sampling.ts'
import { formatIssues, type InferSchema, type SchemaLike } from '../../schema/bridge.ts'
import type { AskOptions, ElicitAnswer, SampleResult, UrlAnswer } from '../context.ts'
import type { Call } from '../dispatch/call.ts'
import { ask, refuseAnswer } from './ask.ts'
import { printOf } from './canonical-json.ts'
import { elicitationForm } from './elicitation-form.ts'
import { assertPriorities, samplingCapabilities } from './sampling-capabilities.ts'

/** Asks the user to fill in a form. */
export async function elicit<S extends SchemaLike>(
  call: Call,
  message: string,
  schema: S,
  options: AskOptions | undefined,
): Promise<ElicitAnswer<InferSchema<S>>> {
  const form = elicitationForm(schema)
  const params = { mode: 'form', message, requestedSchema: form.requestedSchema }
  const answer = await ask(call, 'elicitation/create', params, { elicitation: { form: {} } }, options)
  const { action, content } = answer as unknown as ElicitResult
  if (action !== 'accept') return { action }
  const parsed = await form.schema.parse(content ?? {})
  if (parsed.ok) return { action, content: parsed.value as InferSchema<S> }
  const problem = formatIssues(parsed.issues, 'content')
  return refuseAnswer(call, new McpError('invalid_result', `The client answered a form wrongly: ${problem}`))
}

/** Asks the user to open a URL. */
export async function elicitUrl(
  call: Call,
  message: string,
  url: string,
  options: AskOptions | undefined,
): Promise<UrlAnswer> {
  if (!isPrivateWebUrl(url)) {
    const expected = 'expected an https URL, or http on this machine'
    throw new McpError('invalid_argument', `elicitUrl: ${expected}, got ${JSON.stringify(url)}`)
  }
  const elicitationId = elicitationIdFor(call, `${message} ${url} ${options?.key ?? ''}`)
  const params = { mode: 'url', message, url, elicitationId }
  const answer = await ask(call, 'elicitation/create', params, { elicitation: { url: {} } }, options)
  const { action } = answer as unknown as ElicitResult
  const complete = (): void => {
    if (action === 'accept') void call.tell('notifications/elicitation/complete', { elicitationId })
  }
  return { action, complete }
}

/** The same in every run of a task, as the client was told the first one. */
function elicitationIdFor({ task }: Call, question: string): string {
  return task?.id === undefined ? crypto.randomUUID() : `${task.id}-${printOf(question)}`
}

/** Asks the client's model for a message. */
export async function sample(
  call: Call,
  params: CreateMessageParams,
  options: AskOptions | undefined,
): Promise<SampleResult> {
  assertPriorities(params)
  const answer = await ask(call, 'sampling/createMessage', { ...params }, samplingCapabilities(params), options)
  const result = answer as unknown as CreateMessageResult
  const blocks = [result.content].flat()
  return { ...result, text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n') }
}

/** Asks the client where the server may work. */
export async function listRoots(call: Call, options: AskOptions | undefined): Promise<Root[]> {
  const answer = await ask(call, 'roots/list', {}, { roots: {} }, options)
  return (answer as unknown as ListRootsResult).roots
}
