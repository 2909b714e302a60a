import { Redactor } from '@tenon/replay'
import type { ConnectOptions, HttpEvent, TrafficEvent } from '@tenon/sdk/client'
import type { Terminal } from '../terminal/terminal.ts'
import { type Part, paragraph, say, type TerminalText } from '../terminal/text.ts'

type Json = { [member: string]: unknown }

/** Shows every message, and the server's standard error, without secrets. */
export class Traffic {
  readonly #terminal: Terminal
  readonly #redactor = new Redactor()
  /** Open requests, by sender and id. */
  readonly #open = new Map<string, { method: string; at: number }>()
  #partial = ''

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  get options(): Pick<ConnectOptions, 'onMessage' | 'onHttp'> {
    return { onMessage: (event) => this.#message(event), onHttp: (event) => this.#http(event) }
  }

  /** The server's standard error. */
  readonly stderr = (text: string): void => {
    const lines = (this.#partial + text).split('\n')
    this.#partial = lines.pop()!.slice(-4_096)
    for (const line of lines) this.#say(say`│ ${this.#redactor.text(line)}`)
  }

  #message(event: TrafficEvent): void {
    const arrow = event.from === 'client' ? '→' : '←'
    if (event.failure) {
      const { id, error } = event.failure
      if (id === undefined) return
      this.#open.delete(`${event.from} ${JSON.stringify(id)}`)
      this.#say(say`  ${this.#terminal.notes.red('no answer')} #${String(id)} ${error.message}`)
      return
    }
    if (event.refusal) {
      this.#say(say`${arrow} ${this.#terminal.notes.red('not taken:')} ${event.refusal.message}`)
      return
    }
    for (const one of [event.payload].flat()) this.#one(arrow, event, one as unknown as Json)
  }

  #one(arrow: string, { from, at }: TrafficEvent, payload: Json): void {
    const { bold, red } = this.#terminal.notes
    if (typeof payload !== 'object' || payload === null) {
      this.#say(say`${arrow} ${JSON.stringify(payload)}`)
      return
    }
    const { id, method, params, result, error } = this.#redactor.value(payload) as Json
    const key = `${method === undefined ? other(from) : from} ${JSON.stringify(id)}`
    const number = id === undefined ? '' : ` #${typeof id === 'string' ? id : JSON.stringify(id)}`
    if (typeof method === 'string') {
      if (id !== undefined) this.#open.set(key, { method, at })
      this.#say(say`${arrow} ${bold(method)}${number}${this.#shown(params)}`)
      return
    }
    const asked = this.#open.get(key)
    this.#open.delete(key)
    const took = asked === undefined ? '' : ` ${asked.method}, ${Math.round(at - asked.at)} ms`
    const kind = error === undefined ? 'result' : red('error')
    this.#say(say`${arrow} ${kind}${number}${took}${this.#shown(error ?? result)}`)
  }

  #http({ phase, method, url, status, error }: HttpEvent): void {
    if (phase === 'reply') this.#say(say`  HTTP ${status ?? ''} ${method} ${url}`)
    else if (phase === 'failed') this.#say(say`  HTTP failed ${method} ${url}: ${error?.message ?? ''}`)
  }

  /** A value in the rest of the line, or below it. */
  #shown(value: unknown): Part {
    if (value === undefined) return ''
    const text = dense(value, '  ')
    return text.includes('\n') || text.length > 80 ? say`\n  ${paragraph(text)}` : ` ${text}`
  }

  #say(text: TerminalText): void {
    this.#terminal.warn(this.#terminal.notes.dim(text))
  }
}

const other = (side: 'client' | 'server'): string => (side === 'client' ? 'server' : 'client')

const longest = 400
const width = 110

/** JSON in as few lines as fit: short values stay in one. */
function dense(value: unknown, indent: string): string {
  const line = JSON.stringify(value, shorten)
  if (typeof value !== 'object' || value === null || line.length + indent.length <= width) return line
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Array.isArray(value)
    ? value.map((item) => dense(item, deeper))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${dense(member, deeper)}`)
  return `${open}\n${parts.map((part) => `${deeper}${part}`).join(',\n')}\n${indent}${close}`
}

/** Images and other long texts are cut. */
const shorten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > longest ? `${value.slice(0, 60)}… (${value.length} characters)` : value
