import type { CallToolResult, JsonObject } from '@tenon/sdk/client'
import { messageOf } from '../../host-error.ts'
import type { HostTool } from '../../toolbox.ts'
import type { CallOutcome, ChatEvent } from '../events.ts'
import { keepOrSpill } from '../results/spill.ts'
import { firstBytes } from '../results/text-slice.ts'
import { failureForModel, type Origin, resultForModel, resultParts } from '../results/tool-result.ts'
import { type BuiltInResult, builtInTools, type CallContext } from '../tools/built-in-tools.ts'
import { findTools } from '../tools/tool-search.ts'
import { untilAborted } from '../until-aborted.ts'
import { type PlannedCall, toBatches } from './call-plan.ts'
import { createEventQueue, type EventQueue } from './event-queue.ts'

interface Ended extends BuiltInResult {
  outcome: CallOutcome
}

/** Errors of a host that mean a person or a rule said no. */
const refusals: ReadonlySet<unknown> = new Set(['denied', 'untrusted', 'refused'])

const maxErrorBytes = 4 * 1024

/** An end without a result of the server, in words for the model. */
export function endInWords(outcome: CallOutcome, text: string): Ended {
  const words = firstBytes(text, maxErrorBytes)
  return {
    outcome,
    content: [{ type: 'text', text: words }],
    result: { content: [{ type: 'text', text: words }], isError: true },
  }
}

/** Whether a call waits for consent: until that is given, it has had no effect. */
interface Progress {
  isWaiting: boolean
}

const notMade = 'The conversation was stopped while this call waited for consent: it was not made.'
const maybeMade = 'The call was cancelled before its result arrived. It may have had an effect.'

function endOfError(error: unknown, signal: AbortSignal, { isWaiting }: Progress, origin: Origin | undefined): Ended {
  if (signal.aborted) return endInWords('cancelled', isWaiting ? notMade : maybeMade)
  const { code } = (error ?? {}) as { code?: unknown }
  const message = messageOf(error)
  if (refusals.has(code)) return endInWords('refused', `The call was not allowed: ${message}`)
  const ended = endInWords('error', `The call failed: ${message}`)
  // The event is for the user, who sees it beside the name of the server.
  return origin ? { ...ended, content: [{ type: 'text', text: failureForModel(error, origin) }] } : ended
}

/** The server that a call goes to; undefined if it stays in the conversation. */
function originOf({ call, tool }: PlannedCall): Origin | undefined {
  if (tool) return { server: tool.server, tool: tool.tool.name }
  const server = call.name === 'read_resource' && Object.hasOwn(call.arguments, 'server') && call.arguments.server
  return typeof server === 'string' ? { server, tool: call.name } : undefined
}

async function callServer(
  call: PlannedCall['call'],
  { name, server, tool }: HostTool,
  context: CallContext,
  queue: EventQueue<ChatEvent>,
  state: Progress,
): Promise<Ended> {
  const { toolbox, conversation, limits, media, signal, timeoutMs } = context
  const progress = { type: 'tool-progress', callId: call.callId, name, server } as const
  const result: CallToolResult = await toolbox.callTool(name, call.arguments as JsonObject, {
    callId: call.callId,
    signal,
    onWaiting: (isWaiting) => {
      state.isWaiting = isWaiting
    },
    ...(timeoutMs !== undefined && { timeoutMs }),
    onProgress: ({ progress: done, total, message }) =>
      queue.pushLatest(call.callId, {
        ...progress,
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      }),
    task: {
      onStatus: ({ status, statusMessage }) =>
        queue.pushLatest(`${call.callId} task`, {
          ...progress,
          task: status,
          ...(statusMessage && { message: statusMessage }),
        }),
    },
  })
  const read = resultForModel(result, server, limits, media)
  const kept = await keepOrSpill(read.text, { server, tool: tool.name }, conversation, limits)
  return {
    outcome: result.isError ? 'error' : 'ok',
    content: resultParts(kept.text, read.media),
    result,
    ...(read.links.length > 0 && { links: read.links }),
    ...(kept.spilled && { spilled: kept.spilled }),
    // A tool that was called by its name alone has to be defined from here on.
    ...(!conversation.found.has(name) && { found: [name] }),
  }
}

function explain({ call, problem }: PlannedCall, { toolbox }: CallContext): string {
  if (!problem?.startsWith('There is no tool')) return problem ?? ''
  const near = findTools(toolbox, call.name, 5).map(({ name }) => name)
  return near.length === 0 ? problem : `${problem} Tools with a similar name: ${near.join(', ')}.`
}

async function endOf(planned: PlannedCall, context: CallContext, queue: EventQueue<ChatEvent>): Promise<Ended> {
  const { call, tool, problem } = planned
  if (problem !== undefined) return endInWords('error', explain(planned, context))
  if (context.signal.aborted) return endInWords('cancelled', 'The conversation was stopped before this call was made.')
  const state: Progress = { isWaiting: false }
  try {
    await context.conversation.record({ type: 'call', callId: call.callId })
    if (tool) return await untilAborted(callServer(call, tool, context, queue, state), context.signal)
    const work = builtInTools.get(call.name)!.run(call.arguments as JsonObject, context)
    return { outcome: 'ok', ...(await untilAborted(Promise.resolve(work), context.signal)) }
  } catch (error) {
    return endOfError(error, context.signal, state, originOf(planned))
  }
}

/** Makes one call: the result is in the transcript before its event is read. */
async function runCall(planned: PlannedCall, context: CallContext, queue: EventQueue<ChatEvent>): Promise<void> {
  const { call, tool } = planned
  const facts = { callId: call.callId, name: call.name, ...(tool && { server: tool.server }) }
  queue.push({ type: 'tool-call', ...facts, arguments: call.arguments as JsonObject })
  const { outcome, result, content, found, links, spilled } = await endOf(planned, context, queue)
  const more = { ...(found && { found }), ...(links && { links }) }
  await context.conversation.record({ type: 'result', callId: call.callId, name: call.name, outcome, content, ...more })
  queue.push({ type: 'tool-result', ...facts, outcome, result, ...(spilled && { spilled }) })
}

/** Runs with at most this many at the same time. */
async function runBounded<T>(items: readonly T[], most: number, run: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const worker = async (): Promise<void> => {
    for (const item of rest) await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
}

/** Makes the calls of one answer. A reader that leaves cancels them, and each has its result before it is gone. */
export async function* runCalls(calls: readonly PlannedCall[], context: CallContext): AsyncGenerator<ChatEvent> {
  for (const batch of toBatches(calls)) {
    const queue = createEventQueue<ChatEvent>()
    const work = runBounded(batch, context.limits.maxParallelCalls, (planned) => runCall(planned, context, queue))
    const ended = work.finally(() => queue.end())
    ended.catch(() => {})
    let isRead = false
    try {
      yield* queue
      isRead = true
    } finally {
      if (!isRead) context.stop()
      await ended
    }
  }
}
