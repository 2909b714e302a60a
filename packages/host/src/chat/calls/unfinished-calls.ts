import type { CallOutcome, ChatEvent } from '../events.ts'
import type { Run } from '../run.ts'
import type { ChatCallPart } from '../transcript/transcript.ts'
import { endInWords } from './run-calls.ts'

/** Answers calls that are not made, so that each call of the transcript has its result. */
export async function* endCalls(
  run: Run,
  calls: readonly ChatCallPart[],
  outcome: CallOutcome,
  wordsOf: (call: ChatCallPart) => string,
): AsyncGenerator<ChatEvent> {
  for (const call of calls) {
    const { content, result } = endInWords(outcome, wordsOf(call))
    const { callId, name } = call
    await run.conversation.record({ type: 'result', callId, name, outcome, content })
    const server = run.context.toolbox.tools.find((tool) => tool.name === name)?.server
    yield { type: 'tool-result', callId, name, ...(server && { server }), outcome, result }
  }
}

/** Calls without a result are from a process that ended. They are never made again: they may have had an effect. */
export async function* endInterrupted(run: Run): AsyncGenerator<ChatEvent> {
  const open = run.conversation.openCalls()
  const begun = new Set(open.filter(({ begun }) => begun).map(({ call }) => call.callId))
  yield* endCalls(
    run,
    open.map(({ call }) => call),
    'interrupted',
    ({ callId }) =>
      begun.has(callId)
        ? 'The call was interrupted before its result arrived. It may or may not have had its effect: find out before you repeat it.'
        : 'The conversation was interrupted before this call was made. It had no effect.',
  )
}
