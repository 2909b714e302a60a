import { usage } from '../exit.ts'
import { say } from '../terminal/text.ts'
import { type Conversation, Conversations } from './conversations/conversations.ts'
import { readInput } from './message/standard-input.ts'
import type { ChatCall } from './options.ts'
import { awaitServers, openSession } from './session/session.ts'

/** Runs `tenon chat`: one question, a conversation on the terminal, or the export of a saved one. */
export async function runChat(call: ChatCall): Promise<void> {
  const { options, terminal } = call
  const conversations = new Conversations(terminal.surroundings, !options['no-save'])
  const question = await questionOf(call)
  if (options.yes && question === undefined) throw usage('--yes is for --once: in a chat you are asked')
  if (options.export !== undefined && options.once === undefined) {
    return await withConversation(await conversations.resume(options.resume ?? 'last'), (it) => exported(call, it))
  }
  await using session = await openSession(call)
  await awaitServers(session, call)
  if (question === undefined) {
    return await (await import('./loop.ts')).readMessages(call, session, conversations)
  }
  const begun = options.resume === undefined ? conversations.begin() : conversations.resume(options.resume)
  await withConversation(await begun, async (conversation) => {
    const { answerOnce } = await import('./once.ts')
    await answerOnce(call, session, conversation, question)
    if (options.export !== undefined) await exported(call, conversation)
  })
}

async function withConversation(conversation: Conversation, work: (it: Conversation) => Promise<void>): Promise<void> {
  try {
    await work(conversation)
  } finally {
    await conversation.close()
  }
}

async function exported({ options, terminal }: ChatCall, { transcript }: Conversation): Promise<void> {
  const { exportTranscript } = await import('./conversations/export.ts')
  const path = await exportTranscript(transcript, options.export!, terminal.surroundings.cwd)
  terminal.note(say`The conversation is in ${path}.`)
}

/** The question of `--once`, with standard input below it; undefined for a chat on the terminal. */
async function questionOf({ options, terminal, signal }: ChatCall): Promise<string | undefined> {
  const { once, export: file, json } = options
  if (once === undefined && file !== undefined) return undefined
  const { stdin } = terminal.surroundings
  const input = stdin.isTTY === true ? '' : await readInput(stdin, signal)
  const question = [once, input.trim()].filter((part) => part !== undefined && part !== '').join('\n\n')
  if (once !== undefined && question.trim() === '') throw usage('--once: expected a question, got nothing')
  if (question !== '') return question
  if (json) throw usage('--json is for --once "question"')
  if (terminal.canAsk) return undefined
  throw usage('There is no terminal to chat on', 'Give the question with --once, or on standard input.')
}
