import {
  type ConnectOptions,
  type CreateMessageParams,
  type CreateMessageResult,
  ErrorCode,
  type InputContext,
  type RootsSource,
  RpcError,
} from '@tenon/sdk/client'
import type { Audit } from '../audit/audit.ts'
import type { HostServer } from '../servers/host-server.ts'
import type { Asker, AskPerson } from './ask-person.ts'
import { SamplingAccount } from './sampling-account.ts'
import type { CallInfo } from './types.ts'

/** The server that wants an answer of the model, and the call during which it does. */
export interface SampleContext {
  readonly server: string
  readonly call?: CallInfo
  readonly signal: AbortSignal
}

/** Lets a model answer a request of a server. The request has the messages of that server and nothing else. */
export type Sample = (
  request: CreateMessageParams,
  context: SampleContext,
) => CreateMessageResult | Promise<CreateMessageResult>

interface QuestionParts {
  readonly person: AskPerson
  readonly sample: Sample | undefined
  readonly roots: RootsSource | undefined
  readonly audit: Audit | undefined
}

/** The callbacks for the questions of one server. It is offered only those that somebody can answer. */
export function serverQuestions(server: HostServer, parts: QuestionParts): ConnectOptions {
  const { person, sample, audit } = parts
  const { name, config } = server
  const roots = config.roots ?? parts.roots
  const asker = (context: InputContext): Asker => ({
    server: name,
    info: context.serverInfo,
    call: server.callOf(context),
    signal: context.signal,
  })
  return {
    ...(person.exists && {
      elicit: {
        form: async (request, context) => {
          const answer = await person.form(asker(context), request)
          audit?.record({ type: 'form', server: name, verdict: answer.action, by: 'person' })
          return answer
        },
        url: async (request, context) => {
          const answer = await person.page(asker(context), request)
          const { host } = new URL(request.url)
          audit?.record({ type: 'page', server: name, name: host, verdict: answer.action, by: 'person' })
          return answer
        },
      },
    }),
    ...(sample &&
      config.sampling !== false && { sample: { handler: sampler(server, sample, parts, asker), tools: true } }),
    ...(roots && { roots }),
  }
}

function sampler(
  server: HostServer,
  sample: Sample,
  { person, audit }: QuestionParts,
  askerOf: (context: InputContext) => Asker,
): (request: CreateMessageParams, context: InputContext) => Promise<CreateMessageResult> {
  const { name, config } = server
  const { ask: asks = true, ...limits } = config.sampling || {}
  const account = new SamplingAccount(name, limits)
  let isAllowed = !asks
  const allowed = async (request: CreateMessageParams, asker: Asker): Promise<CreateMessageParams> => {
    if (isAllowed) return request
    if (!person.exists) throw rejected(`${name} may not use the model: the host has no \`ask\``)
    const { answer, request: edited = request } = await person.sample(asker, request)
    if (answer === 'deny') throw rejected('The user said no')
    if (answer === 'session') isAllowed = true
    return edited
  }
  return async (sent, context) => {
    const asker = askerOf(context)
    const bounded = account.bound(sent)
    const note = (verdict: string, by: string): void =>
      audit?.record({ type: 'sample', server: name, verdict, by, maxTokens: bounded.maxTokens })
    const by = isAllowed ? 'settings' : 'person'
    try {
      const request = account.take(await allowed(bounded, asker))
      note('allow', by)
      const { call } = asker
      return await sample(request, { server: name, ...(call && { call }), signal: context.signal })
    } catch (error) {
      note('deny', error instanceof RpcError ? error.message : by)
      throw error
    }
  }
}

const rejected = (why: string): RpcError => new RpcError(ErrorCode.UserRejected, why)
