import type { ChatEvent, ToolResultEvent } from '@tenon/host/chat'
import { showMedia } from '../../show/media.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'
import { callLine, progressLine, resultLines } from './card.ts'
import { MarkdownStream } from './markdown.ts'

/** Of one result: each may become a file, and nobody was asked about them. */
const maxMedia = 8

/** Shows the events of one turn: the answer on standard output, everything else as notes. */
export class TurnView {
  readonly #terminal: Terminal
  readonly #titleOf: (name: string) => string
  readonly #markdown: MarkdownStream
  /** Text goes to the screen as it comes; otherwise only the answer counts, and other text is a note. */
  readonly #streams: boolean
  #isMidLine = false
  #held = ''

  constructor(terminal: Terminal, titleOf: (name: string) => string) {
    this.#terminal = terminal
    this.#titleOf = titleOf
    this.#streams = terminal.isRead
    this.#markdown = new MarkdownStream(terminal.style)
  }

  /** The model is being waited for. */
  wait(): void {
    this.#terminal.activity.start(say`Thinking… Ctrl-C cancels`)
  }

  async show(event: ChatEvent): Promise<void> {
    const { activity } = this.#terminal
    switch (event.type) {
      case 'text':
        return this.#text(event.text)
      case 'tool-call':
        this.endText()
        return this.#terminal.note(callLine(this.#titleOf(event.name), event, this.#terminal.notes, this.#columns))
      case 'tool-progress':
        activity.start(progressLine(this.#titleOf(event.name), event))
        return activity.say(progressLine(this.#titleOf(event.name), event))
      case 'tool-result':
        return await this.#result(event)
      case 'step-end':
        // Text of the last step is the answer, and only the end tells which step was the last.
        if (this.#streams) this.endText()
        return this.wait()
      case 'notice':
        this.endText()
        return this.#terminal.note(this.#terminal.notes.dim(event.message))
      case 'reasoning':
        return
      case 'done':
        return this.#done(event.text)
      default:
        this.endText()
        activity.stop()
    }
  }

  /** Ends the line that is being written, so that something else can follow. */
  endText(): void {
    this.#terminal.activity.stop()
    if (this.#held.trim() !== '') this.#terminal.note(this.#terminal.notes.dim(this.#held.trim()))
    this.#held = ''
    const rest = this.#markdown.end()
    if (!rest.isEmpty) this.#terminal.print(rest)
    if (this.#isMidLine || !rest.isEmpty) this.#terminal.line()
    this.#isMidLine = false
  }

  #text(text: string): void {
    if (!this.#streams) {
      this.#held += text
      return
    }
    this.#terminal.activity.stop()
    const shown = this.#markdown.write(text)
    if (shown.isEmpty) return
    this.#isMidLine = !String(shown).endsWith('\n')
    this.#terminal.print(shown)
  }

  async #result(event: ToolResultEvent): Promise<void> {
    this.endText()
    const { activity, notes } = this.#terminal
    activity.stop()
    for (const line of resultLines(this.#titleOf(event.name), event, notes, this.#columns)) this.#terminal.note(line)
    // Pictures are for people: files and programs get the answer alone.
    if (!this.#streams) return
    const media = (event.result.content ?? []).filter(({ type }) => type === 'image' || type === 'audio')
    for (const [index, block] of media.slice(0, maxMedia).entries()) {
      if (block.type !== 'image' && block.type !== 'audio') continue
      await showMedia(block, this.#terminal, `${event.name}-${index + 1}`, { save: '.' })
    }
  }

  #done(text: string): void {
    this.#held = ''
    this.endText()
    if (!this.#streams && text !== '') this.#terminal.content(text)
  }

  get #columns(): number {
    const { stderr } = this.#terminal.surroundings.output
    return stderr.isTTY ? stderr.columns : 200
  }
}
