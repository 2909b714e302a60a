import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Call } from '../../server/dispatch/call.ts'
import type { PartsListening } from '../../server/mounted-parts.ts'
import type { BackendListening, ListenFilter } from '../backend-handlers.ts'
import type { Part } from './part.ts'
import type { PartCalls } from './part-calls.ts'
import { notificationOf } from './part-request.ts'
import { within } from './patience.ts'
import type { ResourceOwners } from './resource-owners.ts'
import { outwardTaskId, readTaskId } from './task-ids.ts'

const listFields = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
] as const

const firstPauseMs = 1_000
const longestPauseMs = 60_000
/** The most notifications that wait for the acknowledgement. */
const maxEarly = 256

type Tell = (method: string, params: JsonObject) => MaybePromise<void>

/** The subscription of a client without a session at all parts. One whose server was lost is opened again. */
export class PartsSubscription implements PartsListening {
  readonly honoured: JsonObject = {}
  readonly #calls: PartCalls
  readonly #call: Call
  readonly #open = new Map<Part, BackendListening>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #early: [string, JsonObject][] = []
  #tell: Tell | undefined
  #stopped = false

  constructor(calls: PartCalls, call: Call) {
    this.#calls = calls
    this.#call = call
  }

  /** Subscribes at every part to its share of the filter. */
  async start(filter: ListenFilter, owners: ResourceOwners): Promise<void> {
    const shares = await this.#share(filter, owners)
    await Promise.all([...shares].map(([part, share]) => this.#begin(part, share)))
  }

  open(tell: Tell): void {
    this.#tell = tell
    for (const [method, params] of this.#early.splice(0)) void tell(method, params)
  }

  stop(): void {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const [part, listening] of this.#open) this.#end(part, listening)
  }

  async #share(filter: ListenFilter, owners: ResourceOwners): Promise<Map<Part, ListenFilter>> {
    const { parts } = this.#calls
    const { resourceSubscriptions: uris = [], taskIds = [], ...lists } = filter
    const shares = new Map(parts.map((part): [Part, ListenFilter] => [part, { ...lists }]))
    const found = uris.length === 0 ? undefined : (await owners.all(this.#call, uris)).owners
    for (const [uri, having] of found ?? []) {
      for (const part of having) add(shares.get(part)!, 'resourceSubscriptions', uri)
    }
    for (const id of taskIds) {
      const task = readTaskId(id)
      const part = parts.find(({ prefix }) => prefix === task?.prefix)
      if (part !== undefined) add(shares.get(part)!, 'taskIds', task!.taskId)
    }
    return shares
  }

  async #begin(part: Part, share: ListenFilter): Promise<void> {
    const listening = await this.#listen(part, share)
    if (listening === undefined) {
      // It may come back: then its lists have changed.
      for (const [field] of listFields) if (share[field] === true) this.honoured[field] = true
      this.#again(part, share, firstPauseMs)
      return
    }
    const { resourceSubscriptions: uris, taskIds, ...lists } = listening.honoured
    Object.assign(this.honoured, lists)
    for (const uri of uris ?? []) this.#honour('resourceSubscriptions', uri)
    for (const id of taskIds ?? []) this.#honour('taskIds', outwardTaskId(part.prefix, id))
  }

  #honour(field: 'resourceSubscriptions' | 'taskIds', name: string): void {
    const names = new Set((this.honoured[field] as string[] | undefined) ?? [])
    this.honoured[field] = [...names.add(name)]
  }

  async #listen(part: Part, share: ListenFilter): Promise<BackendListening | undefined> {
    try {
      const request = await this.#calls.request(this.#call, part, {}, { method: 'subscriptions/listen' })
      const opening = part.handlers.listen(request, share, (method, params) => this.#pass(part, method, params))
      const listening = await within(part.timeoutMs, part.name, () => this.#unlessStopped(opening))
      this.#open.set(part, listening)
      void listening.ended?.then(() => this.#lost(part, listening, share)).catch(() => {})
      return listening
    } catch (error) {
      if (!this.#stopped) this.#calls.report(error, part)
      return undefined
    }
  }

  /** A subscription that comes about too late is ended at once. */
  async #unlessStopped(opening: Promise<BackendListening>): Promise<BackendListening> {
    const listening = await opening
    if (this.#stopped) void Promise.resolve(listening.stop()).catch(() => {})
    return listening
  }

  #end(part: Part, listening: BackendListening): void {
    if (this.#open.get(part) === listening) this.#open.delete(part)
    Promise.resolve()
      .then(() => listening.stop())
      .catch((error: unknown) => this.#calls.report(error, part))
  }

  #lost(part: Part, listening: BackendListening, share: ListenFilter): void {
    if (this.#stopped || this.#open.get(part) !== listening) return
    this.#end(part, listening)
    this.#announce(part, share)
    this.#again(part, share, firstPauseMs)
  }

  #again(part: Part, share: ListenFilter, pauseMs: number): void {
    if (this.#stopped) return
    const timer = setTimeout(async () => {
      this.#timers.delete(timer)
      if (this.#stopped || !this.#calls.parts.includes(part)) return
      if ((await this.#listen(part, share)) !== undefined) this.#announce(part, share)
      else this.#again(part, share, Math.min(pauseMs * 2, longestPauseMs))
    }, pauseMs)
    timer.unref?.()
    this.#timers.add(timer)
  }

  /** Everything that the part offers may have changed. */
  #announce(part: Part, share: ListenFilter): void {
    for (const [field, feature] of listFields) {
      if (share[field] === true) this.#pass(part, `notifications/${feature}/list_changed`, {})
    }
    for (const uri of share.resourceSubscriptions ?? []) this.#pass(part, 'notifications/resources/updated', { uri })
  }

  #pass({ prefix }: Part, method: string, params: JsonObject): void {
    if (this.#stopped) return
    const passed = notificationOf(prefix, method, params)
    if (this.#tell !== undefined) void this.#tell(method, passed)
    else if (this.#early.length < maxEarly) this.#early.push([method, passed])
  }
}

function add(share: ListenFilter, field: 'resourceSubscriptions' | 'taskIds', name: string): void {
  share[field] = [...(share[field] ?? []), name]
}
