import type { ModelCallOptions } from '../models/language-model.ts'
import { type PlannedCall, planCalls } from './calls/call-plan.ts'
import { runCalls } from './calls/run-calls.ts'
import { endCalls } from './calls/unfinished-calls.ts'
import type { ChatEvent, DoneReason } from './events.ts'
import type { StreamedAnswer } from './model/answer.ts'
import { withCacheMarks } from './model/cache-marks.ts'
import { askModel } from './model/model-step.ts'
import { toPrompt } from './model/prompt.ts'
import { wellFormed } from './model/well-formed.ts'
import { markExplained } from './results/tool-result.ts'
import { limitReached, type Run } from './run.ts'
import type { Definitions } from './tools/definitions.ts'
import type { AssistantPart } from './transcript/transcript.ts'
import { addUsage, costOf, estimateTokens, noUsage, type TokenUsage, toUsage } from './usage.ts'

const searchExplained = 'There are more tools than you see. search_tools finds them by words for the task.'

function requestOf(run: Run, { tools, mustSearch }: Definitions): ModelCallOptions {
  const { model, conversation, limits, options, context, spent } = run
  const system = [options.system, markExplained, mustSearch && searchExplained].filter(Boolean).join('\n\n')
  const { temperature, maxOutputTokens, providerOptions } = options
  const prompt = wellFormed(toPrompt(system, conversation.entries, context.media))
  return {
    prompt: withCacheMarks(prompt, model.provider),
    ...(tools.length > 0 && { tools }),
    // Calls in the last step would have no reader, so the model has to answer.
    ...(tools.length > 0 && { toolChoice: { type: spent.steps >= limits.maxSteps ? 'none' : 'auto' } as const }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(providerOptions !== undefined && { providerOptions }),
  }
}

const nameOf = ({ model }: Run): string => `${model.provider}/${model.modelId}`

/** Keeps the text of an answer that was stopped: the user has read it. */
async function recordStopped(run: Run, answer: StreamedAnswer | undefined): Promise<void> {
  const content = (answer?.parts ?? []).filter((part) => part.type === 'text' && part.text !== '') as AssistantPart[]
  if (content.length === 0 || answer?.finish) return
  await run.conversation.record({ type: 'assistant', model: nameOf(run), content, finish: 'cancelled', usage: noUsage })
}

async function* ask(run: Run, request: ModelCallOptions): AsyncGenerator<ChatEvent, StreamedAnswer> {
  const { model, limits, options, context } = run
  const { signal } = context
  const step = { limits, signal, retry: options.retry ?? {}, idleTimeoutMs: options.modelTimeoutMs ?? 300_000 }
  let current: StreamedAnswer | undefined
  try {
    return yield* askModel(model, request, step, (begun) => (current = begun))
  } catch (error) {
    if (signal.aborted) await recordStopped(run, current)
    throw error
  }
}

/** Records an answer, and counts its tokens. */
async function record(
  run: Run,
  answer: StreamedAnswer,
  request: ModelCallOptions,
): Promise<{ calls: PlannedCall[]; usage: TokenUsage }> {
  const { conversation, limits, context, spent } = run
  const tools = new Map(context.toolbox.tools.map((tool) => [tool.name, tool]))
  const { content, calls } = planCalls(answer, conversation.callIds, tools, limits)
  const usage = toUsage(
    answer.usage,
    () => estimateTokens(JSON.stringify(request)),
    () => estimateTokens(JSON.stringify(content)),
  )
  spent.usage = addUsage(spent.usage, usage)
  await conversation.record({ type: 'assistant', model: nameOf(run), content, finish: answer.finish!.unified, usage })
  return { calls, usage }
}

/** Asks the model once, and makes the calls of its answer. Returns the reason if the conversation has ended. */
export async function* takeStep(run: Run): AsyncGenerator<ChatEvent, DoneReason | undefined> {
  const { options, context, spent } = run
  spent.steps++
  const definitions = run.define(context.toolbox.tools, run.conversation)
  yield* definitions.notices
  const request = requestOf(run, definitions)
  const answer = yield* ask(run, request)
  const { calls, usage } = await record(run, answer, request)

  const limit = calls.length > 0 ? limitReached(run) : undefined
  const words = `Not called: the conversation has reached its limit of ${limit}.`
  if (limit)
    yield* endCalls(
      run,
      calls.map(({ call }) => call),
      'limit',
      () => words,
    )
  else yield* runCalls(calls, context)
  const cost = costOf(usage, options.prices)
  yield { type: 'step-end', step: spent.steps, usage, ...(cost !== undefined && { cost }) }
  if (calls.length === 0) return answer.finish!.unified === 'length' ? 'length' : 'answered'
  return context.signal.aborted ? 'cancelled' : limit
}
