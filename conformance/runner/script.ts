import type { Revision } from '@tenon/sdk/server'
import type { FixtureKind } from '../fixture-server.ts'
import { requirementsIn } from '../requirements/table.ts'

type JsonObject = { [member: string]: unknown }

/** A step of a transcript, before it is recorded. */
export type Step =
  | { kind: 'comment'; text: string }
  /** `answers` is the number of payloads that the server sends before the client continues. */
  | { kind: 'client'; text: string; broken: boolean; answers: number }

export interface Scenario {
  topic: string
  /** The kind of server. Default: the one that has everything. */
  server?: FixtureKind
  /** False for revisions with nothing to show for the topic. */
  revisions?: (revision: Revision) => boolean
  play(script: Script): void
}

export interface RequestOptions {
  /** The number of the server's payloads before the client continues. Default 1: the answer. */
  answers?: number
  id?: string | number
  /** Members of `_meta` besides the required ones. */
  meta?: JsonObject
  /** The client's capabilities, for stateless requests. */
  capabilities?: JsonObject
  /** The params are wrong on purpose. */
  broken?: boolean
}

const idsPerLine = 4

export const clientInfo = { name: 'transcript', version: '1.0.0' }

/** The `_meta` of a request of 2026-07-28. */
export const modernMeta = (capabilities: JsonObject = {}): JsonObject => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
  'io.modelcontextprotocol/clientInfo': clientInfo,
})

/** The client's part of one transcript, in one revision. */
export class Script {
  readonly revision: Revision
  readonly steps: Step[] = []
  #lastId = 0

  constructor(revision: Revision) {
    this.revision = revision
  }

  get modern(): boolean {
    return this.revision === '2026-07-28'
  }

  since(revision: Revision): boolean {
    return this.revision >= revision
  }

  /** Describes the next lines, and names the requirements that they show; those of other revisions are left out. */
  note(text: string, ...requirements: string[]): void {
    this.steps.push({ kind: 'comment', text })
    const cited = requirementsIn(this.revision, requirements).map((id) => `[${id}]`)
    for (let from = 0; from < cited.length; from += idsPerLine) {
      this.steps.push({ kind: 'comment', text: cited.slice(from, from + idsPerLine).join(' ') })
    }
  }

  /** The handshake, if the revision has one. */
  open(capabilities: JsonObject = {}): void {
    if (this.modern) return
    this.request('initialize', { protocolVersion: this.revision, capabilities, clientInfo })
    this.notify('notifications/initialized')
  }

  request(method: string, params?: JsonObject, options: RequestOptions = {}): void {
    const { answers = 1, id = ++this.#lastId, broken = false } = options
    const _meta = { ...(this.modern && modernMeta(options.capabilities)), ...options.meta }
    const all = Object.keys(_meta).length > 0 ? { ...params, _meta } : params
    this.say({ jsonrpc: '2.0', id, method, ...(all && { params: all }) }, { answers, broken })
  }

  call(name: string, args?: JsonObject, options?: RequestOptions): void {
    this.request('tools/call', { name, ...(args && { arguments: args }) }, options)
  }

  notify(method: string, params?: JsonObject, answers = 0): void {
    this.say({ jsonrpc: '2.0', method, ...(params && { params }) }, { answers })
  }

  /** Answers a request of the server; those are numbered from 1. */
  respond(id: number, result: JsonObject, answers = 1): void {
    this.say({ jsonrpc: '2.0', id, result }, { answers })
  }

  refuse(id: number, error: JsonObject, answers = 1): void {
    this.say({ jsonrpc: '2.0', id, error }, { answers })
  }

  /** Sends any JSON value. */
  say(value: unknown, { answers = 0, broken = false }: { answers?: number; broken?: boolean } = {}): void {
    this.steps.push({ kind: 'client', text: JSON.stringify(value), broken, answers })
  }

  /** Sends a value that is not a message of the revision. */
  nonsense(value: unknown, answers: number): void {
    this.say(value, { answers, broken: true })
  }

  /** Sends a text that need not be JSON. */
  noise(text: string, answers: number, { broken = true }: { broken?: boolean } = {}): void {
    this.steps.push({ kind: 'client', text, broken, answers })
  }
}

export function scriptOf(scenario: Scenario, revision: Revision): Script {
  const script = new Script(revision)
  if (scenario.server) script.note(`server: ${scenario.server}`)
  scenario.play(script)
  return script
}
