import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import { isWebUrl } from '../../internal/web-url.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { ElicitFormParams, ElicitParams, ElicitResult, ElicitUrlParams } from '../../model/elicitation.ts'
import { applyDefaults } from '../../schema/elicitation/defaults.ts'
import { type SchemaChecker, schemaChecker } from '../calls/schema-checker.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { type ElicitHandler, toError } from '../options.ts'
import { notFound } from './answer-errors.ts'
import type { AnswerProvider, InputSources, ReceivedInputRequest } from './input-sources.ts'

/** Answers `elicitation/create` with the user's handler. */
export function prepareElicitation(
  { params, context, declared: { elicitation: declared } }: ReceivedInputRequest,
  { settings: { elicit }, elicitations }: InputSources,
): AnswerProvider<ElicitResult> {
  if (elicit === undefined || declared === undefined) throw notFound('elicitation/create')
  const request = params as unknown as ElicitParams
  const mode = request.mode ?? 'form'
  const handler = typeof elicit === 'function' ? elicit : elicit[mode]
  if (handler === undefined || declared[mode] === undefined) throw undeclaredMode(mode)
  const ask = async (): Promise<ElicitResult> => {
    const result = await (handler as ElicitHandler)(request, context)
    assertAction(result)
    return result
  }
  return request.mode === 'url' ? urlQuestion(request, ask, elicitations) : formQuestion(request, ask)
}

function formQuestion(request: ElicitFormParams, ask: AnswerProvider<ElicitResult>): AnswerProvider<ElicitResult> {
  // Before the user sees it: a form whose answers cannot be checked is not worth filling in.
  const check = formChecker(request)
  return async () => {
    const result = await ask()
    return result.action === 'accept' ? acceptForm(request, result, check) : withoutContent(result)
  }
}

function formChecker({ requestedSchema }: ElicitFormParams): SchemaChecker {
  try {
    return schemaChecker({ ...requestedSchema }, 'content', { formats: true })
  } catch (error) {
    const why = toError(error).message
    throw new RpcError(ErrorCode.InvalidParams, `elicitation/create: requestedSchema cannot be used: ${why}`)
  }
}

function urlQuestion(
  { url, elicitationId }: ElicitUrlParams,
  ask: AnswerProvider<ElicitResult>,
  elicitations: InputSources['elicitations'],
): AnswerProvider<ElicitResult> {
  if (!isWebUrl(url)) {
    throw new RpcError(
      ErrorCode.InvalidParams,
      `elicitation/create params.url: expected an http(s) URL, got ${cut(url)}`,
    )
  }
  return async () => {
    let accepted = false
    // Added first: the user may be done before the callback is.
    elicitations.add(elicitationId)
    try {
      const result = await ask()
      accepted = result.action === 'accept'
      return withoutContent(result)
    } finally {
      if (!accepted) elicitations.remove(elicitationId)
    }
  }
}

function acceptForm({ requestedSchema }: ElicitFormParams, result: ElicitResult, check: SchemaChecker): ElicitResult {
  const { content = {} } = result
  if (!isObject(content)) throw wrong(`.content: expected an object, got ${describe(content)}`)
  const complete = applyDefaults(requestedSchema, omitUndefined(content))
  const misfit = check(complete)
  if (misfit !== undefined) throw wrong(`, which does not fit the requested schema: ${misfit}`)
  assertPlain(complete)
  return { ...result, content: complete }
}

/** An answer has plain values only, even if the schema allows others. */
function assertPlain(content: { [name: string]: unknown }): asserts content is NonNullable<ElicitResult['content']> {
  const odd = Object.entries(content).find(([, value]) => !isPlain(value))
  if (odd === undefined) return
  const [name, value] = odd
  const expected = 'a string, a finite number, a boolean or an array of strings'
  throw wrong(`.content[${JSON.stringify(name)}]: expected ${expected}, got ${describe(value)}`)
}

const cut = (text: string): string => JSON.stringify(text.slice(0, 40))

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'))

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
