import type { UserPart } from '@tenon/host/chat'
import { History, oneLine } from '../repl/history.ts'
import { showFailure } from '../run.ts'
import { join, say } from '../terminal/text.ts'
import type { Conversations } from './conversations/conversations.ts'
import { withAttachments } from './message/attachments.ts'
import { completeLine } from './message/complete-line.ts'
import { findPrompt, promptMessage } from './message/prompts.ts'
import { limitWords } from './once.ts'
import type { OpenChat } from './open-chat.ts'
import type { ChatCall } from './options.ts'
import type { ChatSession } from './session/session.ts'
import { TurnView } from './show/view.ts'
import { isExit, runSlashCommand } from './slash-commands.ts'

/** Talks to a person until they leave. */
export async function readMessages(call: ChatCall, session: ChatSession, conversations: Conversations): Promise<void> {
  const { terminal, options } = call
  const { output, env } = terminal.surroundings
  const history = new History(env, 'chat-history')
  const keyboard = await output.openKeyboard(await history.load())
  const conversation = await (options.resume === undefined
    ? conversations.begin()
    : conversations.resume(options.resume))
  const chat: OpenChat = { terminal, session, conversations, keyboard, conversation }
  try {
    greet(chat)
    await new ChatLoop(call, chat, history).run()
  } finally {
    output.closeKeyboard()
    await chat.conversation.close()
  }
}

function greet({ terminal, session: { host, chosen }, conversation }: OpenChat): void {
  const { bold, dim } = terminal.notes
  const servers = [...host.servers.values()].filter(({ state }) => state === 'ready').map(({ name }) => bold(name))
  const asked = conversation.transcript.entries.filter(({ type }) => type === 'user').length
  terminal.note(say`${bold(chosen.name)} with ${join(servers, ', ')}: ${host.tools.length} tools.`)
  if (asked > 0) terminal.note(say`Going on with ${conversation.id ?? 'the conversation'}: ${asked} messages of yours.`)
  terminal.note(dim('Ask something. /help lists the commands, Ctrl-C cancels an answer, /exit leaves.'))
}

/** Reads lines and answers them, one turn after the other. */
class ChatLoop {
  readonly #call: ChatCall
  readonly #chat: OpenChat
  readonly #history: History
  /** The turn that runs. */
  #turn: AbortController | undefined
  /** The reading of a line, which a question of a server interrupts. */
  #reading: { stop: AbortController; ended: Promise<unknown> } | undefined
  #view: TurnView | undefined
  readonly #leave = new AbortController()
  #isLeaving = false

  constructor(call: ChatCall, chat: OpenChat, history: History) {
    this.#call = call
    this.#chat = chat
    this.#history = history
  }

  async run(): Promise<void> {
    const { keyboard, session } = this.#chat
    keyboard.onInterrupt = () => this.#interrupt()
    session.asker.before = async () => {
      this.#view?.endText()
      this.#reading?.stop.abort()
      await this.#reading?.ended
    }
    const left = new Promise<void>((resolve) => this.#leave.signal.addEventListener('abort', () => resolve()))
    const stopListening = this.#tellAboutServers()
    try {
      while (!this.#call.signal.aborted && !this.#leave.signal.aborted) {
        const line = await this.#read()
        if (line === undefined || isExit(line)) return
        if (line.trim() !== '') await Promise.race([this.#answer(line), left])
      }
    } finally {
      stopListening()
    }
  }

  /** Ctrl-C cancels the turn, then empties the line, then leaves. */
  #interrupt(): void {
    const { keyboard, terminal } = this.#chat
    if (this.#turn && !this.#turn.signal.aborted) {
      this.#turn.abort(new DOMException('Cancelled', 'AbortError'))
    } else if (this.#turn || this.#isLeaving) {
      this.#leave.abort()
      this.#reading?.stop.abort()
    } else if (!keyboard.clear()) {
      this.#isLeaving = true
      terminal.note(say`Press Ctrl-C again to leave.`)
    }
  }

  /** One message, in as many lines as end with a backslash; undefined to leave. */
  async #read(): Promise<string | undefined> {
    let text = ''
    for (;;) {
      const line = await this.#readLine(text === '')
      if (line === undefined) return undefined
      this.#isLeaving = false
      text += line
      if (!line.endsWith('\\')) return text
      text = `${text.slice(0, -1)}\n`
    }
  }

  async #readLine(isFirst: boolean): Promise<string | undefined> {
    const { keyboard, session, terminal, conversations } = this.#chat
    const { signal } = this.#call
    const { cwd } = terminal.surroundings
    const { host } = session
    const complete = (line: string): Promise<[string[], string]> =>
      completeLine(line, { host, conversations, cwd, signal })
    const prompt = isFirst ? say`${terminal.notes.cyan('you>')} ` : say`… `
    for (;;) {
      await session.asker.idle
      const stop = new AbortController()
      const options = { signal: AbortSignal.any([signal, stop.signal]), fresh: false, complete }
      const typed = keyboard.read(prompt, options)
      this.#reading = { stop, ended: typed.catch(() => {}) }
      try {
        return await typed
      } catch (error) {
        if (this.#leave.signal.aborted) return undefined
        if (!stop.signal.aborted || signal.aborted) throw error
      } finally {
        this.#reading = undefined
      }
    }
  }

  async #answer(line: string): Promise<void> {
    const { keyboard, terminal } = this.#chat
    keyboard.remember(oneLine(line))
    await this.#history.add(line)
    this.#turn = new AbortController()
    const signal = AbortSignal.any([this.#call.signal, this.#turn.signal])
    try {
      await this.#run(line, signal)
    } catch (error) {
      if (signal.aborted) terminal.note(terminal.notes.dim('Cancelled.'))
      else showFailure(error, {}, terminal, false)
    } finally {
      this.#turn = undefined
      this.#view = undefined
    }
  }

  async #run(line: string, signal: AbortSignal): Promise<void> {
    const { host } = this.#chat.session
    if (!line.startsWith('/')) return await this.#converse(await withAttachments(line, host, signal), signal)
    const prompt = findPrompt(line.split(/\s/, 1)[0]!, host)
    if (prompt === undefined) return await runSlashCommand(line, this.#chat)
    await this.#converse(await promptMessage(line, prompt, host, this.#chat.keyboard, signal), signal)
  }

  async #converse(message: UserPart[], signal: AbortSignal): Promise<void> {
    const { terminal, session, conversation } = this.#chat
    const { host, chosen, options } = session
    const view = new TurnView(terminal, session.titleOf)
    this.#view = view
    view.wait()
    const { transcript } = conversation
    try {
      for await (const event of host.chat(message, { ...options, transcript, signal, model: chosen.model })) {
        await view.show(event)
        if (event.type === 'error') throw event.error
        if (event.type !== 'done' || event.reason === 'answered') continue
        const said = event.reason === 'cancelled' ? 'Cancelled.' : limitWords(event.reason)
        terminal.note(terminal.notes.yellow(said))
      }
    } finally {
      view.endText()
    }
  }

  /** Servers that fail or come back while the chat is open. */
  #tellAboutServers(): () => void {
    const { terminal, session } = this.#chat
    const { dim, yellow } = terminal.notes
    return session.host.onEvent((event) => {
      if (event.type === 'state' && event.state === 'failed') {
        terminal.note(say`${yellow('●')} ${event.server} failed: ${event.error?.message ?? ''}`)
      } else if (event.type === 'problem') terminal.note(say`${yellow('●')} ${event.problem.message}`)
      else if (event.type === 'stderr' && this.#call.options.verbose) {
        terminal.note(say`${dim(`│ ${event.server}`)} ${event.text.trimEnd()}`)
      }
    })
  }
}
