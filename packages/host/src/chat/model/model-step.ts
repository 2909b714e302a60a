import { longestTimerMs } from '../../check-limits.ts'
import type { LanguageModel, ModelCallOptions, ModelStreamPart } from '../../models/language-model.ts'
import { ChatError } from '../chat-error.ts'
import type { ChatEvent } from '../events.ts'
import type { ChatLimits } from '../limits.ts'
import { untilAborted } from '../until-aborted.ts'
import { createAnswer, type StreamedAnswer } from './answer.ts'
import { describeFailure, isLostConnection } from './model-failure.ts'

/** Retries of requests that the provider could not serve, before the first part of an answer. */
export interface RetryOptions {
  /** 3 if missing; 0 turns retries off. */
  retries?: number
  /** The first wait; each further one is twice as long. 1 s if missing. */
  firstDelayMs?: number
  /** The longest wait. A provider that asks for more fails the conversation. 60 s if missing. */
  maxDelayMs?: number
}

interface StepOptions {
  limits: ChatLimits
  signal: AbortSignal
  retry: RetryOptions
  /** A model that sends nothing for this long has failed. */
  idleTimeoutMs: number
}

/** The next sign of life of the model. */
async function within<T>(work: PromiseLike<T>, { signal, idleTimeoutMs }: StepOptions): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new ChatError('timeout', `The model sent nothing for ${idleTimeoutMs} ms`))
    timer = setTimeout(fail, Math.min(idleTimeoutMs, longestTimerMs))
  })
  try {
    return await untilAborted(Promise.race([work, late]), signal)
  } finally {
    clearTimeout(timer)
  }
}

async function* readParts(
  stream: ReadableStream<ModelStreamPart>,
  options: StepOptions,
): AsyncGenerator<ModelStreamPart> {
  const reader = stream.getReader()
  try {
    while (true) {
      const { done, value } = await within(reader.read(), options)
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: a model that hangs may never answer this either.
    reader.cancel().catch(() => {})
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await untilAborted(new Promise((resolve) => (timer = setTimeout(resolve, Math.min(ms, longestTimerMs)))), signal)
  } finally {
    clearTimeout(timer)
  }
}

/** How long to wait before the next attempt; undefined if there is none. */
function delayOf(error: unknown, attempt: number, retry: RetryOptions): number | undefined {
  const { retries = 3, firstDelayMs = 1_000, maxDelayMs = 60_000 } = retry
  const { mayRetry, retryAfterMs } = describeFailure(error)
  if (!mayRetry || attempt > retries) return undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= maxDelayMs ? retryAfterMs : undefined
  // Between half and all of it, so that many clients do not come back at the same moment.
  const longest = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1))
  return Math.round(longest / 2 + (longest / 2) * Math.random())
}

const cutOff = (cause?: unknown): ChatError =>
  new ChatError('cut_off', 'The stream of the model ended before the answer was complete', { cause })

/** The reasons why an answer that has arrived cannot be used. */
function assertComplete({ finish, parts }: StreamedAnswer): void {
  const nothing = parts.length === 0
  if (finish === undefined) throw cutOff()
  if (finish.unified === 'content-filter') {
    throw new ChatError('refused', `The model declined to answer (${finish.raw ?? finish.unified})`)
  }
  if (finish.unified === 'error')
    throw new ChatError('cut_off', `The answer ended with an error (${finish.raw ?? 'unknown'})`)
  // Providers of the AI SDK finish a stream that was cut with `other`, and without a reason of the wire.
  if (finish.unified === 'other' && (finish.raw === undefined || nothing)) {
    throw cutOff()
  }
}

/** One answer of the model. The answer is given to `onAnswer` when it begins, so that a stopped one is not lost. */
export async function* askModel(
  model: LanguageModel,
  request: ModelCallOptions,
  options: StepOptions,
  onAnswer: (answer: StreamedAnswer) => void,
): AsyncGenerator<ChatEvent, StreamedAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = createAnswer(options.limits)
    onAnswer(answer)
    try {
      const { stream } = await within(model.doStream({ ...request, abortSignal: options.signal }), options)
      for await (const part of readParts(stream, options)) {
        const event = answer.take(part)
        if (event) yield event
      }
      assertComplete(answer)
      return answer
    } catch (error) {
      options.signal.throwIfAborted()
      // The user has seen a part of the answer: a second one would follow it.
      const delayMs = answer.parts.length > 0 ? undefined : delayOf(error, attempt, options.retry)
      if (delayMs === undefined) throw answer.parts.length > 0 && isLostConnection(error) ? cutOff(error) : error
      const message = `The provider could not answer: ${describeFailure(error).message}. Retry ${attempt} in ${delayMs} ms`
      yield { type: 'notice', kind: 'retry', message, delayMs }
      await wait(delayMs, options.signal)
    }
  }
}
