import type { RecordStore } from '@tenon/sdk/auth/server'
import type { Approval } from './types.ts'

/** A question, and what became of it. */
interface ApprovalEntry {
  readonly approval: Approval
  /** Of caller, item and exact arguments. */
  readonly binding: string
  /** ms since 1970. */
  readonly expires: number
  /** The request that went through with it. */
  readonly usedBy?: string
  /** Tells the decision that came first from others of the same moment. */
  readonly decision?: string
}

/** A line of the list of all questions. */
interface Listed {
  readonly id: string
  readonly binding: string
  readonly caller: string
  readonly expires: number
}

const kind = 'approval'
const bindingKind = 'approval-of'
const listKind = 'approvals'
const listId = 'all'

/** The questions as records of a store. Several gateways may share one: every change is one of a version. */
export class ApprovalRecords {
  readonly #store: RecordStore
  readonly #now: () => number

  constructor(store: RecordStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  async get(id: string): Promise<{ readonly entry: ApprovalEntry; readonly version: string } | undefined> {
    const found = await this.#store.get(kind, id)
    if (found === undefined) return undefined
    const entry = JSON.parse(found.text) as ApprovalEntry
    return entry.expires > this.#now() ? { entry, version: found.version } : undefined
  }

  /** Changes an entry, unless `change` returns undefined; resolves with the entry as it is then. */
  async change(
    id: string,
    change: (entry: ApprovalEntry) => ApprovalEntry | undefined,
  ): Promise<ApprovalEntry | undefined> {
    for (;;) {
      const found = await this.get(id)
      if (found === undefined) return undefined
      const changed = change(found.entry)
      if (changed === undefined) return found.entry
      const text = JSON.stringify(changed)
      if (await this.#store.replace(kind, id, text, changed.expires, found.version)) return changed
    }
  }

  /** The entries of all questions, the oldest first. */
  async all(): Promise<ApprovalEntry[]> {
    const { listed } = await this.#list()
    const found = await Promise.all(listed.map(({ id }) => this.get(id)))
    return found.flatMap((one) => (one === undefined ? [] : [one.entry]))
  }

  /** The id of the question about a request, with the version of that knowledge. */
  async idOf(binding: string): Promise<{ readonly id: string; readonly version: string } | undefined> {
    const found = await this.#store.get(bindingKind, binding)
    return found && { id: found.text, version: found.version }
  }

  /**
   * Adds a question in the place of `before`. `no room`: too many wait, of the caller or at all. `late`: somebody else asked
   * meanwhile.
   */
  async add(
    entry: ApprovalEntry,
    before: { readonly id: string; readonly version: string } | undefined,
    most: { readonly perCaller: number; readonly entries: number },
  ): Promise<'added' | 'no room' | 'late'> {
    const { approval, binding, expires } = entry
    const { id, caller } = approval
    const line: Listed = { id, binding, caller: caller.id, expires }
    const hasRoom = await this.#changeList((listed) => {
      const others = listed.filter((one) => one.id !== before?.id)
      const own = others.filter((one) => one.caller === caller.id)
      return own.length < most.perCaller && others.length < most.entries ? [...others, line] : undefined
    })
    if (!hasRoom) return 'no room'
    await this.#store.add(kind, id, JSON.stringify(entry), expires)
    const isFirst =
      before === undefined
        ? await this.#store.add(bindingKind, binding, id, expires)
        : await this.#store.replace(bindingKind, binding, id, expires, before.version)
    if (isFirst) {
      if (before !== undefined) await this.#store.delete(kind, before.id)
      return 'added'
    }
    await this.#changeList((listed) => listed.filter((one) => one.id !== id))
    await this.#store.delete(kind, id)
    return 'late'
  }

  async #list(): Promise<{ readonly listed: readonly Listed[]; readonly version: string | undefined }> {
    const found = await this.#store.get(listKind, listId)
    const listed = found === undefined ? [] : (JSON.parse(found.text) as Listed[])
    const now = this.#now()
    return { listed: listed.filter(({ expires }) => expires > now), version: found?.version }
  }

  /** False if `change` wants none. */
  async #changeList(change: (listed: readonly Listed[]) => readonly Listed[] | undefined): Promise<boolean> {
    for (;;) {
      const { listed, version } = await this.#list()
      const changed = change(listed)
      if (changed === undefined) return false
      const text = JSON.stringify(changed)
      const until = Math.max(this.#now(), ...changed.map(({ expires }) => expires))
      const isDone =
        version === undefined
          ? await this.#store.add(listKind, listId, text, until)
          : await this.#store.replace(listKind, listId, text, until, version)
      if (isDone) return true
    }
  }
}
