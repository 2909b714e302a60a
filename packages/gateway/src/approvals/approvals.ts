import { canonicalJson, sha256 } from '@tenon/host/parts'
import { ErrorCode, type JsonObject, RpcError } from '@tenon/sdk/client'
import { visibleJson, visibleLine } from '@tenon/sdk/display'
import { redact } from '../audit/redact.ts'
import type { GatewayRequest } from '../model.ts'
import type { ApprovalQueue } from './approval-queue.ts'
import { type ApprovalSettings, defaultApprovals } from './types.ts'

/** A person who agreed, for the audit log. */
interface Approved {
  readonly by: string
}

/** A request that nobody has agreed to. */
export class ApprovalMissing extends RpcError {
  readonly state: 'waiting' | 'denied'

  constructor(state: 'waiting' | 'denied', message: string, data?: JsonObject, options?: ErrorOptions) {
    super(ErrorCode.InternalError, message, data, options)
    this.state = state
  }
}

const schema: JsonObject = {
  type: 'object',
  properties: { approve: { type: 'boolean', title: 'Approve', description: 'Whether the request may be made' } },
  required: ['approve'],
}

/** A person has to see all of what they approve. */
const maxShown = 4_000
const maxQueued = 64 * 1024

/** Asks a person about a request: at its client, or in the queue. Throws `ApprovalMissing`. */
export async function askApproval(
  request: GatewayRequest,
  args: JsonObject,
  rule: string,
  queue: ApprovalQueue,
  settings: ApprovalSettings = defaultApprovals,
): Promise<Approved> {
  for (const way of settings.by) {
    if (way === 'queue') return askQueue(request, args, rule, queue, settings)
    const shown = visibleJson(JSON.stringify(args, null, 2))
    if (request.elicit !== undefined && shown.length <= maxShown) return askClient(request, shown, settings)
  }
  throw new ApprovalMissing('denied', 'A person has to approve this request, and nobody can be asked')
}

async function askClient(request: GatewayRequest, shown: string, settings: ApprovalSettings): Promise<Approved> {
  const { caller, item, elicit } = request
  const what = `the ${item.kind} ${visibleLine(request.askedFor ?? item.name)} of ${visibleLine(item.upstream)}`
  const message = `Approve a call of ${what} with these arguments?\n${shown}`
  const answer = await inTime(elicit!(message, schema), settings.expiresAfterMs, request.signal).catch(
    (cause: unknown) => {
      // The question may end the round: then the request comes again with the answer.
      throw new ApprovalMissing('waiting', 'A person has to approve this request', undefined, { cause })
    },
  )
  // An answer with defaults or without content is no decision.
  if (answer?.action === 'accept' && answer.content?.approve === true) return { by: `${caller.id} at the client` }
  throw new ApprovalMissing('denied', 'A person did not approve this request')
}

/** Undefined if there is no answer in time. */
async function inTime<T>(answer: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
  let stop!: () => void
  const over = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
  })
  const timer = setTimeout(stop, ms)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([answer, over])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

async function askQueue(
  request: GatewayRequest,
  args: JsonObject,
  rule: string,
  queue: ApprovalQueue,
  settings: ApprovalSettings,
): Promise<Approved> {
  const { caller, server, item, signal } = request
  const { kind, upstream, name, definition } = item
  if (JSON.stringify(args).length > maxQueued) {
    throw new ApprovalMissing('denied', 'The arguments are too large for a person to approve them')
  }
  // The definition too: an approval is not for a tool that means something else by now.
  const binding = sha256(
    canonicalJson([caller.id, server, request.method, kind, upstream, name, definition ?? null, args]),
  )
  const question = {
    caller: { id: caller.id, ...(caller.name !== undefined && { name: caller.name }) },
    server,
    item: { kind, upstream, name },
    args: redact(args, definition),
    rule,
  }
  const asked = await queue.ask(binding, request.id, question, settings)
  if (asked === undefined) throw new ApprovalMissing('denied', 'Too many requests wait for an approval')
  const { id } = asked
  const state = await queue.wait(id, settings.waitMs, signal)
  if (state === 'approved') return used(queue, id, request.id)
  if (state === 'denied') throw new ApprovalMissing('denied', 'A person did not approve this request', { approval: id })
  throw new ApprovalMissing('waiting', 'A person has to approve this request: try again later', { approval: id })
}

async function used(queue: ApprovalQueue, id: string, requestId: string): Promise<Approved> {
  const by = await queue.use(id, requestId)
  if (by !== undefined) return { by }
  throw new ApprovalMissing('denied', 'The approval was for one request, and was used', { approval: id })
}
