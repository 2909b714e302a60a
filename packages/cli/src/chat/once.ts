import type { ChatEvent, DoneEvent } from '@tenon/host/chat'
import { CommandFailure, ExitCode } from '../exit.ts'
import { say } from '../terminal/text.ts'
import type { Conversation } from './conversations/conversations.ts'
import type { ChatCall } from './options.ts'
import type { ChatSession } from './session/session.ts'
import { TurnView } from './show/view.ts'

/** Answers one question: the answer is the result, the calls are notes or, with `--json`, events. */
export async function answerOnce(
  call: ChatCall,
  session: ChatSession,
  conversation: Conversation,
  question: string,
): Promise<void> {
  const { terminal, signal } = call
  const { host, chosen, asker, options } = session
  const { transcript } = conversation
  const view = new TurnView(terminal, session.titleOf)
  asker.before = () => view.endText()
  if (!call.options.json) view.wait()
  for await (const event of host.chat(question, { ...options, transcript, signal, model: chosen.model })) {
    if (event.type === 'error') throw event.error
    if (event.type === 'done') await finish(call, view, event, conversation)
    else if (call.options.json) call.event(jsonEvent(event), () => {})
    else await view.show(event)
  }
}

/** An event as a line of JSON: `event` names its kind. */
const jsonEvent = ({ type, ...rest }: ChatEvent): { [member: string]: unknown } => ({ event: type, ...rest })

async function finish(call: ChatCall, view: TurnView, event: DoneEvent, { id }: Conversation): Promise<void> {
  const { reason, text, steps, usage, cost } = event
  call.signal.throwIfAborted()
  const failure =
    reason === 'answered' ? undefined : new CommandFailure(ExitCode.Limit, `limit_${reason}`, limitWords(reason))
  const value = { text, reason, steps, usage, ...(cost !== undefined && { cost }), ...(id !== undefined && { id }) }
  await call.result(
    value,
    async () => {
      await view.show(event)
      const { notes } = call.terminal
      if (failure) call.terminal.warn(say`${notes.red(notes.bold('error:'))} ${failure.message}`)
    },
    failure,
  )
}

const limits: { [reason: string]: string } = {
  length: 'The answer reached the largest size that the model may give',
  steps: 'The limit of steps was reached before the answer; --max-steps raises it',
  tokens: 'The limit of tokens was reached before the answer; --max-tokens raises it',
  cost: 'The limit of cost was reached before the answer; --max-cost raises it',
}

export const limitWords = (reason: string): string => limits[reason] ?? reason
