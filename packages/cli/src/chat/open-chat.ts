import type { Keyboard } from '../terminal/keyboard.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Conversation, Conversations } from './conversations/conversations.ts'
import type { ChatSession } from './session/session.ts'

/** A chat on the terminal while it is open. */
export interface OpenChat {
  readonly terminal: Terminal
  readonly session: ChatSession
  readonly conversations: Conversations
  readonly keyboard: Keyboard
  /** Replaced by `/resume` and `/clear`. */
  conversation: Conversation
}
