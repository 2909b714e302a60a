import { isHostError } from '../host-error.ts'
import type { AnyLanguageModel } from '../models/language-model.ts'
import type { Toolbox } from '../toolbox.ts'
import { endInterrupted } from './calls/unfinished-calls.ts'
import type { ChatEvent, DoneReason } from './events.ts'
import { toChatError } from './model/model-failure.ts'
import type { ChatInput, ChatOptions } from './options.ts'
import { createRun, doneEvent, type Run } from './run.ts'
import { takeStep } from './step.ts'
import type { UserPart } from './transcript/transcript.ts'

const toParts = (input: string | UserPart[]): UserPart[] =>
  typeof input === 'string' ? [{ type: 'text', text: input }] : input

const notStarted = (server: string): ChatEvent => ({
  type: 'notice',
  kind: 'not-started',
  message: `${server} is not started yet: its tools are not known before host.ready(), or before a call of one of them.`,
})

async function* converse(run: Run, input: ChatInput): AsyncGenerator<ChatEvent, DoneReason> {
  const { conversation, context } = run
  for (const server of context.toolbox.idle ?? []) yield notStarted(server)
  yield* endInterrupted(run)
  if (input !== undefined) await conversation.record({ type: 'user', content: toParts(input) })
  const last = conversation.entries.at(-1)
  if (last === undefined || last.type === 'assistant') return 'answered'
  while (true) {
    context.signal.throwIfAborted()
    const reason = yield* takeStep(run)
    if (reason) return reason
  }
}

/**
 * A conversation with a model that can use the tools of a toolbox. The last event is `done` or `error`; leaving the
 * loop early stops the model and the calls.
 *
 * @example
 * ```ts
 * for await (const event of chat(toolbox, 'anthropic/claude-sonnet-5-5', 'Will it rain in Bergen?')) {
 *   if (event.type === 'text') process.stdout.write(event.text)
 * }
 * ```
 */
export async function* chat(
  toolbox: Toolbox,
  model: AnyLanguageModel | string,
  input: ChatInput,
  options: ChatOptions = {},
): AsyncGenerator<ChatEvent, void, undefined> {
  const stop = new AbortController()
  let run: Run | undefined
  try {
    run = await createRun(toolbox, model, options, stop)
    yield doneEvent(run, yield* converse(run, input))
  } catch (error) {
    if (run?.context.signal.aborted) yield doneEvent(run, 'cancelled')
    else if ((error instanceof TypeError || isHostError(error)) && !run) throw error
    else yield { type: 'error', error: toChatError(error) }
  } finally {
    stop.abort()
  }
}
