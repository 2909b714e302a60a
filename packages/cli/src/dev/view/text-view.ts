import { showJson } from '../../show/json.ts'
import { sizeOf } from '../../show/media.ts'
import type { Style } from '../../terminal/style.ts'
import { paragraph, say, type TerminalText } from '../../terminal/text.ts'
import { cut, fit, widthOf } from '../../terminal/width.ts'
import type { ServerSummary } from '../reloading-server.ts'
import type { DevView } from './dev-view.ts'
import type { Exchange } from './exchanges.ts'

/** Shows each event as a line. */
export class TextView implements DevView {
  /** Show messages in full. */
  verbose = false
  readonly #write: (text: TerminalText) => void
  readonly #style: Style
  readonly #columns: number
  readonly #hints: (ready: ServerSummary) => TerminalText
  #wasReady = false

  /** `hints` are written when the server is ready for the first time. */
  constructor(
    write: (text: TerminalText) => void,
    style: Style,
    columns: number,
    hints: (ready: ServerSummary) => TerminalText,
  ) {
    this.#write = write
    this.#style = style
    this.#columns = columns
    this.#hints = hints
  }

  ready(ready: ServerSummary): void {
    const { green, bold } = this.#style
    this.#write(
      say`${green('ready')}  ${bold(`${ready.name} ${ready.version}`.trimEnd())} in ${ready.revision}: ${offers(ready)}`,
    )
    if (!this.#wasReady) this.#write(this.#hints(ready))
    this.#wasReady = true
  }

  failed(message: string, hint = 'Waiting for a change.'): void {
    const { red, bold, dim } = this.#style
    this.#write(say`${red(bold('failed'))} ${message}`)
    this.#write(dim(hint))
  }

  crashed(message: string): void {
    this.#write(say`${this.#style.red(this.#style.bold('ended'))}  ${message}`)
  }

  problem(message: string): void {
    this.#write(say`${this.#style.yellow('problem')} ${message}`)
  }

  restarting(because: string): void {
    this.#write(say`${this.#style.cyan('restart')} ${because}`)
  }

  line(text: string): void {
    this.#write(say`${this.#style.dim('│')} ${paragraph(text.trimEnd())}`)
  }

  exchange(exchange: Exchange, client: string): void {
    const { dim, cyan, green } = this.#style
    const { from, at, method, about, durationMs, bytes, error } = exchange
    const arrow = from === 'client' ? cyan('→') : green('←')
    const what = fit(`${method}${about === undefined ? '' : ` ${about}`}`, 44)
    const took = (durationMs === undefined ? '' : timeOf(durationMs)).padStart(8)
    const line = say`${dim(clock(at))} ${arrow} ${durationMs === undefined && !error ? dim(what) : what} ${dim(`${took} ${sizeOf(bytes).padStart(8)}`)}`
    this.#write(say`${line}${error ? this.#failure(error) : say` ${dim(client)}`}`)
    if (!this.verbose) return
    for (const message of [exchange.request, exchange.answer]) {
      if (message !== undefined) this.#write(showJson(message, this.#style))
    }
  }

  /** At the end of the line where it fits, and below it where it does not. */
  #failure({ code, message }: NonNullable<Exchange['error']>): TerminalText {
    const { red } = this.#style
    const text = code === undefined ? message : `${code} ${message}`
    if (widthOf(text) < this.#columns - lineWidth) return say` ${red(text)}`
    return say`\n${' '.repeat(indent)}${red(cut(text, this.#columns - indent))}`
  }
}

/** The width of a line without its end, and the indentation of a wrapped message. */
const lineWidth = 74
const indent = 11

function offers({ tools, resources, prompts }: ServerSummary): string {
  const counts: [number, string][] = [
    [tools.length, 'tool'],
    [resources, 'resource'],
    [prompts, 'prompt'],
  ]
  const some = counts.filter(([count]) => count > 0)
  return some.map(([count, what]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ') || 'nothing yet'
}

const timeOf = (ms: number): string =>
  ms < 1_000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1_000).toFixed(1)} s`

const clock = (at: number): string => new Date(at).toTimeString().slice(0, 8)
