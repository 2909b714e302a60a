import type { CommandCall } from '../../command.ts'
import type { Style } from '../../terminal/style.ts'
import { say, type TerminalText } from '../../terminal/text.ts'
import type { devOptions } from '../options.ts'
import { type DevView, jsonView } from './dev-view.ts'
import { shortcutHelp } from './shortcuts.ts'
import { TextView } from './text-view.ts'
import { usageHints } from './usage-hints.ts'

/** Writes for the user of `tenon dev`: to stderr where standard output carries the protocol. */
export class DevOutput {
  readonly view: DevView
  /** The address of the server, once it is known. */
  url = ''
  readonly #text: TextView
  readonly #style: Style
  readonly #write: (text: TerminalText) => void

  constructor(call: CommandCall<typeof devOptions>, file: string, usesStdio: boolean) {
    const { terminal, options } = call
    const hasKeys = terminal.surroundings.stdin.isTTY === true
    this.#style = usesStdio ? terminal.notes : terminal.style
    this.#write = (text) => (usesStdio ? terminal.warn(text) : terminal.line(text))
    this.#text = new TextView(this.#write, this.#style, terminal.columns, (summary) =>
      usageHints(summary, this.url, file, this.#style, hasKeys),
    )
    this.#text.verbose = options.verbose
    this.view = options.json ? jsonView((event) => call.event(event, () => {})) : this.#text
  }

  toggleMessages(): void {
    this.#text.verbose = !this.#text.verbose
    const shown = this.#text.verbose ? 'Messages are shown in full.' : 'Messages are shown in short.'
    this.#write(this.#style.dim(shown))
  }

  showWorkbench(): void {
    this.#write(say`${this.#style.dim('The workbench:')} tenon inspect ${this.url}`)
  }

  showShortcuts(): void {
    this.#write(shortcutHelp(this.#style))
  }
}
