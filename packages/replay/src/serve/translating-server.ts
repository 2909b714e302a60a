import {
  type ConnectOptions,
  type CreateMessageParams,
  type CreateMessageResult,
  connect,
  type ElicitParams,
  type ElicitResult,
  isRpcError,
  type JsonObject,
  type Revision,
  RpcError,
} from '@tenon/sdk/client'
import {
  createServer,
  type Icon,
  type Middleware,
  prompt,
  type RequestContext,
  type Server,
  type ServerOptions,
} from '@tenon/sdk/server'
import { canonical } from '../json/canonical.ts'
import { isObject } from '../json/is-object.ts'
import type { Recording } from './recording.ts'
import { ReplayConnection } from './replay-connection.ts'
import { ReplayNotes } from './replay-notes.ts'

interface TranslationOptions {
  recording: Recording
  notes: ReplayNotes
  pause: (sinceMs: number) => number
  revisions?: readonly Revision[]
}

/**
 * A server for every revision and transport that answers from a recording. A client of the recorded revision sends each
 * operation to the recording; the SDK translates the result into the client's revision.
 */
export function translatingServer(options: TranslationOptions): Server {
  const { recording } = options
  const { capabilities, instructions } = recording.kind.introduction() as {
    capabilities?: JsonObject
    instructions?: string
  }
  const declared = capabilities ?? {}
  // The oldest revisions do not declare it.
  const completes = declared.completions !== undefined || recording.has('completion/complete')
  const counts = new Map<string, number>()
  const middleware: Middleware = async ({ method, params: given, ctx }) => {
    // State and answers of an earlier round are between this server and its client.
    const { _meta, requestState, inputResponses, task, ...params } = given as JsonObject
    const key = `${method} ${canonical(params)}`
    // A run that asks is run again: it is still the same call.
    const startAt = await ctx.once('recorded call', () => {
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return count
    })
    return askRecording(options, startAt, ctx, { method, params })
  }
  return createServer({
    ...introduce(recording),
    ...(typeof instructions === 'string' && { instructions }),
    ...(declared.tools !== undefined && { tools: [] }),
    ...(declared.resources !== undefined && { resources: [] }),
    // A server with a completable prompt declares completions; lists and results come from the recording.
    ...((declared.prompts !== undefined || completes) && { prompts: completes ? [completing] : [] }),
    logging: declared.logging !== undefined,
    middleware: [middleware],
    ...(options.revisions && { revisions: options.revisions }),
  })
}

const completing = prompt({
  name: 'completing',
  arguments: { type: 'object', properties: { any: { type: 'string' } } },
  complete: { any: () => [] },
  run: () => '',
})

function introduce({ about }: Recording): Pick<ServerOptions, 'name' | 'version'> & Partial<ServerOptions> {
  const { name = 'recording', version = '0', title, icons } = (about.server ?? {}) as Partial<ServerOptions>
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(Array.isArray(icons) && { icons: icons as Icon[] }),
  }
}

/** One operation, on a connection of its own: all requests and notifications on it belong to the operation. */
async function askRecording(
  { recording, notes, pause }: TranslationOptions,
  startAt: number,
  ctx: RequestContext,
  { method, params }: { method: string; params: JsonObject },
): Promise<JsonObject> {
  const noted = new ReplayNotes()
  let suspended = false
  /** For a stateless client a request of the server ends this run. Later errors are consequences, and not reported. */
  const asking = async <T>(question: Promise<T>): Promise<T> => {
    try {
      return await question
    } catch (error) {
      suspended ||= error instanceof Error && error.name === 'Suspension'
      throw error
    }
  }
  const options: ConnectOptions = {
    revisions: [recording.about.revision as Revision],
    validate: 'off',
    cache: false,
    elicit: (request) => asking(elicit(request, ctx)),
    sample: { handler: (params) => asking(sample(params, ctx)), tools: true, context: true },
    roots: () => asking(ctx.roots()),
    onLog: ({ level, data, logger }) => void ctx.log(level, data, logger),
  }
  const target = {
    connect: (channel: Parameters<Server['connect']>[0]) =>
      channel.open(new ReplayConnection(channel, recording, noted, { startAt, pause })),
  }
  await using client = await connect(target, options)
  // Not the introduction of this client.
  noted.answers = 0
  try {
    return await client.request(method, params, {
      signal: ctx.signal,
      onProgress: ({ progress, total, message }) => void ctx.progress(progress, total, message),
    })
  } catch (error) {
    // A server does not pass on errors of a remote peer, so the error is copied.
    throw isRpcError(error) ? new RpcError(error.code, error.message, error.data, { cause: error }) : error
  } finally {
    if (!suspended) notes.add(noted)
  }
}

/** The result of the model, without the SDK's additions. */
async function sample(params: CreateMessageParams, ctx: RequestContext): Promise<CreateMessageResult> {
  const { text: _, ...result } = await ctx.sample(params)
  return result
}

async function elicit(request: ElicitParams, ctx: RequestContext): Promise<ElicitResult> {
  if ('url' in request && typeof request.url === 'string') {
    const { action } = await ctx.elicitUrl(request.message, request.url)
    return { action }
  }
  const schema = (request as { requestedSchema?: unknown }).requestedSchema
  const answer = await ctx.elicit(request.message, isObject(schema) ? schema : { type: 'object', properties: {} })
  return answer.action === 'accept'
    ? { action: 'accept', content: answer.content as NonNullable<ElicitResult['content']> }
    : { action: answer.action }
}
