import { differenceOf, pinOf } from '@tenon/host/parts'
import { type JsonObject, McpError } from '@tenon/sdk/client'
import type { GatewayItem } from '../model.ts'
import { type ApprovedPin, type PinnedKind, type PinStore, pinKey } from './pin-store.ts'

/** A definition that nobody approved. */
export interface UnapprovedDefinition {
  readonly upstream: string
  readonly kind: PinnedKind
  readonly name: string
  /** The approval is for this hash only. */
  readonly hash: string
  readonly seenAt: string
  /** Missing if the item is new, or its definition was too large to keep. */
  readonly before?: unknown
  readonly after: unknown
  /** The lines that differ, each with `- ` or `+ ` before it. */
  readonly difference: readonly string[]
}

export interface PinsOptions {
  readonly store: PinStore
  /** `approve`: the definition that is seen first is approved. `block`: a person approves each. */
  readonly firstUse: 'approve' | 'block'
  /** Reads the approvals again so often, which another gateway may have changed. Default: only when `refresh` is called. */
  readonly refreshEveryMs?: number
  readonly now?: () => Date
  /** Told of approvals, for the audit log. */
  readonly onChange?: (change: {
    verdict: 'approve' | 'revoke'
    by: string
    item: Pick<ApprovedPin, 'upstream' | 'kind' | 'name'>
  }) => void
  readonly onError?: (error: unknown) => void
}

interface Seen {
  readonly definition: JsonObject
  readonly hash: string
  readonly at: string
}

/** No definition has this hash. */
const revoked = 'revoked'

/** The changes that are kept for review; the oldest go first. */
const maxSeen = 10_000

/** Lets only those definitions through that were approved. Resources are data, and have no pins. */
export class Pins {
  readonly #options: PinsOptions
  readonly #approved = new Map<string, readonly ApprovedPin[]>()
  readonly #unapproved = new Map<string, Seen>()
  readonly #hashes = new WeakMap<JsonObject, string>()
  readonly #writes = new Map<string, Promise<void>>()
  #revision = 0
  #refreshing: Promise<void> | undefined
  /** The items that changed here while the approvals are read. */
  #changedMeanwhile = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #mayLookAgainAt = 0

  private constructor(options: PinsOptions) {
    this.#options = options
  }

  static async open(options: PinsOptions): Promise<Pins> {
    const pins = new Pins(options)
    await pins.refresh()
    const { refreshEveryMs } = options
    if (refreshEveryMs !== undefined) pins.#timer = setInterval(() => pins.#refreshQuietly(), refreshEveryMs).unref()
    return pins
  }

  /** Grows with every change of the approvals. */
  get revision(): number {
    return this.#revision
  }

  /** Reads the approvals again, which another gateway may have changed. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #refresh(): Promise<void> {
    this.#changedMeanwhile = new Set(this.#writes.keys())
    const read = new Map<string, ApprovedPin[]>()
    for (const pin of await this.#options.store.read()) read.set(pinKey(pin), [...(read.get(pinKey(pin)) ?? []), pin])
    // The store was read before those that changed here meanwhile.
    for (const key of new Set([...this.#approved.keys(), ...read.keys()])) {
      if (!this.#changedMeanwhile.has(key)) this.#take(key, read.get(key))
    }
  }

  #take(key: string, pins: readonly ApprovedPin[] | undefined): void {
    if (JSON.stringify(pins) === JSON.stringify(this.#approved.get(key))) return
    this.#revision++
    if (pins === undefined) this.#approved.delete(key)
    else this.#approved.set(key, pins)
  }

  #refreshQuietly(): void {
    this.refresh().catch((error: unknown) => this.#options.onError?.(error))
  }

  /** A list has changed: somebody may have approved that at another gateway already. An upstream decides how often it changes. */
  #lookAgain(): void {
    const now = performance.now()
    if (this.#timer === undefined || now < this.#mayLookAgainAt) return
    this.#mayLookAgainAt = now + 1_000
    this.#refreshQuietly()
  }

  /** Whether the definition is approved. Waits for nothing: a first use is written afterwards. */
  isApproved({ kind, upstream, name, definition }: GatewayItem): boolean {
    if (kind === 'resource') return true
    if (definition === undefined) return false
    const key = pinKey({ upstream, kind, name })
    const hash = this.#hashOf(kind, definition)
    if (hash === undefined) return false
    const approved = this.#approved.get(key)
    if (approved?.some((pin) => pin.hash === hash)) return true
    if (approved === undefined && this.#options.firstUse === 'approve') {
      this.#approveFirst(key, { upstream, kind, name }, definition)
      return true
    }
    this.#keep(key, { definition, hash, at: this.#time() })
    return false
  }

  /** Whether the definition would be let through. An operator who looks approves nothing by that, unlike a first use. */
  wouldPass({ kind, upstream, name, definition }: GatewayItem): boolean {
    if (kind === 'resource') return true
    const hash = definition === undefined ? undefined : this.#hashOf(kind, definition)
    if (hash === undefined) return false
    const approved = this.#approved.get(pinKey({ upstream, kind, name }))
    return approved?.some((pin) => pin.hash === hash) ?? this.#options.firstUse === 'approve'
  }

  /** The definitions that wait for an approval. */
  unapproved(): UnapprovedDefinition[] {
    return [...this.#unapproved].flatMap(([key, { definition, hash, at }]) => {
      const approved = this.#approved.get(key)
      if (approved?.some((pin) => pin.hash === hash)) return []
      const [upstream, kind, name] = JSON.parse(key) as [string, PinnedKind, string]
      const before = approved?.at(-1)?.value
      const after = withoutIcons(definition)
      return [
        {
          upstream,
          kind,
          name,
          hash,
          seenAt: at,
          ...(before !== undefined && { before }),
          after,
          difference: differenceOf(before, after),
        },
      ]
    })
  }

  /** Approves a definition that was seen, if it is still the one with this hash. */
  async approve(item: Pick<ApprovedPin, 'upstream' | 'kind' | 'name'>, hash: string, by: string): Promise<void> {
    const key = pinKey(item)
    const seen = this.#unapproved.get(key)
    if (seen?.hash !== hash) {
      throw new McpError(
        'invalid_argument',
        `The definition ${key} is ${seen === undefined ? 'not waiting' : 'another one by now'}`,
      )
    }
    const { upstream, kind, name } = item
    const pin = {
      upstream,
      kind,
      name,
      ...pinOf({ kind, name, value: withoutIcons(seen.definition) }),
      by,
      at: this.#time(),
    }
    this.#add(key, await this.#options.store.add(pin, false))
    if (this.#unapproved.get(key)?.hash === hash) this.#unapproved.delete(key)
    this.#options.onChange?.({ verdict: 'approve', by, item: { upstream, kind, name } })
  }

  /** Takes all approvals of an item back. */
  async revoke({ upstream, kind, name }: Pick<ApprovedPin, 'upstream' | 'kind' | 'name'>, by: string): Promise<void> {
    const item = { upstream, kind, name }
    await this.#options.store.remove(item)
    // A mark stays: without it the next use would be the first.
    this.#add(pinKey(item), await this.#options.store.add({ ...item, hash: revoked, by, at: this.#time() }, false))
    this.#options.onChange?.({ verdict: 'revoke', by, item })
  }

  /** Resolves when all first uses are written. */
  async written(): Promise<void> {
    await Promise.all(this.#writes.values())
  }

  /** Reads no more, and resolves when everything is written. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#refreshing?.catch(() => {})
    await this.written()
  }

  #approveFirst(key: string, item: Pick<ApprovedPin, 'upstream' | 'kind' | 'name'>, definition: JsonObject): void {
    const by = 'first use'
    const pin = { ...item, ...pinOf({ ...item, value: withoutIcons(definition) }), by, at: this.#time() }
    this.#add(key, [pin])
    const write = this.#options.store
      .add(pin, true)
      .then(
        // Another gateway may have been first, with another definition.
        (pins) => {
          this.#add(key, pins)
          this.#options.onChange?.({ verdict: 'approve', by, item })
        },
        (error: unknown) => this.#options.onError?.(error),
      )
      .finally(() => this.#writes.delete(key))
    this.#writes.set(key, write)
  }

  #add(key: string, pins: readonly ApprovedPin[]): void {
    this.#revision++
    this.#approved.set(key, pins)
    this.#changedMeanwhile.add(key)
  }

  #keep(key: string, seen: Seen): void {
    if (this.#unapproved.get(key)?.hash === seen.hash) return
    this.#unapproved.set(key, seen)
    this.#lookAgain()
    if (this.#unapproved.size > maxSeen)
      for (const oldest of this.#unapproved.keys()) return void this.#unapproved.delete(oldest)
  }

  /** Undefined for a definition that is nested too deep to be compared. */
  #hashOf(kind: PinnedKind, definition: JsonObject): string | undefined {
    const known = this.#hashes.get(definition)
    if (known !== undefined) return known
    try {
      const { hash } = pinOf({ kind, name: '', value: withoutIcons(definition) })
      this.#hashes.set(definition, hash)
      return hash
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  #time(): string {
    return (this.#options.now?.() ?? new Date()).toISOString()
  }
}

/** Icons may change freely. */
function withoutIcons({ icons: _, ...value }: JsonObject): JsonObject {
  return value
}
