import { ErrorCode, McpError, RpcError } from '../errors.ts'
import { describe, isObject } from '../jsonrpc/classify.ts'
import type { ElicitFormParams, ElicitParams, ElicitResult, ElicitUrlParams } from '../model/elicitation.ts'
import { applyDefaults } from '../schema/elicitation.ts'
import { type InputRequest, type InputSources, notFound } from './input-request.ts'
import { schemaChecker } from './schema-checker.ts'

/** Answers `elicitation/create` with the user's handler. */
export async function answerElicitation(
  { params, context, connection }: InputRequest,
  { settings: { elicit }, elicitations }: InputSources,
): Promise<ElicitResult> {
  const { elicitation: declared } = connection.declared
  if (elicit === undefined || declared === undefined) throw notFound('elicitation/create')
  const request = params as unknown as ElicitParams
  const mode = request.mode ?? 'form'
  const handler = typeof elicit === 'function' ? elicit : elicit[mode]
  if (handler === undefined || declared[mode] === undefined) throw undeclaredMode(mode)

  const result = await (handler as (params: ElicitParams, ctx: typeof context) => Promise<ElicitResult>)(
    request,
    context,
  )
  assertAction(result)
  if (result.action !== 'accept') return withoutContent(result)
  return request.mode === 'url' ? acceptUrl(request, result, elicitations) : acceptForm(request, result)
}

function acceptUrl(
  { elicitationId }: ElicitUrlParams,
  result: ElicitResult,
  elicitations: InputSources['elicitations'],
): ElicitResult {
  elicitations.add(elicitationId)
  return withoutContent(result)
}

function acceptForm({ requestedSchema }: ElicitFormParams, result: ElicitResult): ElicitResult {
  const { content = {} } = result
  if (!isObject(content)) throw wrong(`.content: expected an object, got ${describe(content)}`)
  const complete = applyDefaults(requestedSchema, withoutGaps(content)) as NonNullable<ElicitResult['content']>
  const misfit = schemaChecker({ ...requestedSchema }, 'content', { formats: true })(complete)
  if (misfit !== undefined) throw wrong(`, which does not fit the requested schema: ${misfit}`)
  return { ...result, content: complete }
}

// Forms like to say `undefined` for what was left empty; JSON has no such value.
const withoutGaps = (content: { [name: string]: unknown }): { [name: string]: unknown } =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined))

const withoutContent = ({ content: _, ...result }: ElicitResult): ElicitResult => result

function assertAction(result: unknown): void {
  if (!isObject(result)) throw wrong(`: expected an object, got ${describe(result)}`)
  const { action } = result
  if (action === 'accept' || action === 'decline' || action === 'cancel') return
  throw wrong(`.action: expected "accept", "decline" or "cancel", got ${JSON.stringify(action) ?? 'nothing'}`)
}

const wrong = (what: string): McpError => new McpError('invalid_argument', `elicit returned a wrong result${what}`)

const undeclaredMode = (mode: string): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `elicitation/create: mode ${mode} was not declared by this client`)
