import { type Action, type Case, expand, type Rule } from './notation.ts'

/** A peer's output on its transport. */
export interface Voice {
  /** One message, framed for the transport. */
  say(message: string): void
  /** Raw bytes. */
  write(bytes: Uint8Array): void
  /** Actions of this transport only. Returns false for an unknown one. */
  act(action: Action): boolean
}

interface Arrived {
  id?: unknown
  method?: string
  params?: { _meta?: { progressToken?: unknown }; protocolVersion?: string }
}

const methodNotFound = { code: -32601, message: 'Method not found' }
const everything = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} }
const serverInfo = { name: 'misbehaving', version: '1' }

/** A peer that follows the rules of a case, and behaves well otherwise. */
export class Script {
  readonly #case: Case
  readonly #used = new Set<Rule>()
  readonly #ids = new Map<string, unknown[]>()
  /** Everything that arrived, as JSON. */
  readonly received: string[] = []

  constructor(one: Case) {
    this.#case = one
  }

  /** Whether there is a rule for this. */
  has(on: string): boolean {
    return this.#find(on) !== undefined
  }

  /** Plays the reaction to a message. */
  async message(message: Arrived, voice: Voice): Promise<void> {
    const { method = 'answer', id } = message
    this.received.push(JSON.stringify(message))
    if (id !== undefined) this.#ids.set(method, [...(this.#ids.get(method) ?? []), id])
    const rule = this.#take(method)
    if (rule !== undefined) await this.#play(rule.actions, voice, this.#names(method, message))
    else if (id !== undefined && message.method !== undefined) voice.say(JSON.stringify(this.#behave(message)))
  }

  /** Plays the reaction to an event that is no message. */
  async event(on: string, voice: Voice): Promise<void> {
    const rule = this.#take(on)
    if (rule !== undefined) await this.#play(rule.actions, voice, {})
  }

  #find(on: string): Rule | undefined {
    return this.#case.rules.find((rule) => rule.on === on && !this.#used.has(rule))
  }

  /** The actions of the next rule for this. */
  upcoming(on: string): readonly Action[] {
    return this.#find(on)?.actions ?? []
  }

  #take(on: string): Rule | undefined {
    const rule = this.#find(on)
    if (rule !== undefined && !rule.always) this.#used.add(rule)
    return rule
  }

  #names(method: string, { id, params }: Arrived): { [name: string]: string } {
    const ids = (this.#ids.get(method) ?? []).map((one, index) => [`id${index + 1}`, JSON.stringify(one)])
    return {
      ...Object.fromEntries(ids),
      id: JSON.stringify(id) ?? 'null',
      token: JSON.stringify(params?._meta?.progressToken) ?? 'null',
      version: JSON.stringify(params?.protocolVersion) ?? 'null',
    }
  }

  async #play(actions: readonly Action[], voice: Voice, names: { [name: string]: string }): Promise<void> {
    for (const { verb, text } of actions) {
      const said = expand(text, names)
      if (verb === '<') voice.say(said)
      else if (verb === 'result') voice.say(`{"jsonrpc":"2.0","id":${names.id},"result":${said}}`)
      else if (verb === 'error') voice.say(`{"jsonrpc":"2.0","id":${names.id},"error":${said}}`)
      else if (verb === 'write') voice.write(Buffer.from(JSON.parse(said) as string))
      else if (verb === 'bytes') voice.write(Buffer.from(said.replaceAll(' ', ''), 'hex'))
      else if (verb === 'pause') await new Promise((resolve) => setTimeout(resolve, Number(said)))
      else if (!voice.act({ verb, text: said })) throw new Error(`cannot ${verb} here: ${this.#case.title}`)
    }
  }

  /** The right answers of a server. */
  #behave({ id, method }: Arrived): object {
    const result = this.#results().get(method!)
    return result === undefined ? { jsonrpc: '2.0', id, error: methodNotFound } : { jsonrpc: '2.0', id, result }
  }

  #results(): Map<string, object> {
    const { speaks } = this.#case
    const modern = speaks === '2026-07-28'
    const whole = modern ? { resultType: 'complete' } : {}
    const kept = modern ? { ...whole, ttlMs: 0, cacheScope: 'private' } : {}
    const tool = { name: 'x', inputSchema: { type: 'object' } }
    const common: [string, object][] = [
      ['tools/list', { tools: [tool], ...kept }],
      ['tools/call', { content: [{ type: 'text', text: 'alive' }], ...whole }],
    ]
    if (modern) {
      const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
      return new Map([
        ...common,
        ['server/discover', { supportedVersions: [speaks], capabilities: everything, ...kept, _meta }],
      ])
    }
    return new Map([
      ...common,
      ['ping', {}],
      ['initialize', { protocolVersion: speaks, capabilities: everything, serverInfo }],
    ])
  }
}
