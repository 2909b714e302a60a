import type { Entry } from './entry.ts'

type Place = Pick<Entry, 'server' | 'connection'>
type Asker = Entry['from']

/**
 * The requests that wait for their end. Each has one owner, this, until it is answered, or its connection is gone; one that was
 * cancelled stays, as its answer may be on its way.
 */
export class OpenRequests {
  /** By connection, then by asker and id. An id may be used again while it is in use, so there are several. */
  readonly #open = new Map<string, Map<string, Entry[]>>()

  add(request: Entry): void {
    const place = placeOf(request)
    const requests = this.#open.get(place) ?? new Map<string, Entry[]>()
    this.#open.set(place, requests)
    const key = keyOf(request.from, request.rpcId!)
    requests.set(key, [...(requests.get(key) ?? []), request])
  }

  /**
   * The request that an id means: of several the latest that is not cancelled, because a duplicate is refused at once, and
   * an id that was cancelled can be used again.
   */
  find(place: Place, asker: Asker, id: string | number): Entry | undefined {
    const requests = this.#open.get(placeOf(place))?.get(keyOf(asker, id))
    return requests?.findLast(({ status }) => status === 'pending') ?? requests?.at(-1)
  }

  delete(request: Entry): void {
    const place = placeOf(request)
    const requests = this.#open.get(place)
    const key = keyOf(request.from, request.rpcId!)
    const others = requests?.get(key)?.filter((other) => other !== request)
    if (requests === undefined || others === undefined) return
    if (others.length > 0) requests.set(key, others)
    else requests.delete(key)
    if (requests.size === 0) this.#open.delete(place)
  }

  /** Everything that waits on a connection, which waits no longer. */
  take(place: Place): Entry[] {
    const requests = this.#open.get(placeOf(place))
    this.#open.delete(placeOf(place))
    return [...(requests?.values() ?? [])].flat()
  }

  clear(): void {
    this.#open.clear()
  }
}

const placeOf = ({ server, connection }: Place): string => `${server} ${connection}`

const keyOf = (asker: Asker, id: string | number): string => `${asker} ${id}`
