import { hash } from 'node:crypto'
import { McpError } from '@tenon/sdk/server'

/** The kinds of keys, each with its own fields. */
type KeyKind =
  | 'session'
  | 'streams'
  | 'events'
  | 'facts'
  | 'spent'
  | 'task'
  | 'index'
  | 'working'
  | 'sizes'
  | 'queue'
  | 'rate'
  | 'counters'
  | 'lock'
  | 'issuer'
  | 'ready'

/** Names keys `<prefix>:{<owner>}:<kind>`: keys of one owner lie on one node of a cluster. */
export class Keys {
  readonly #prefix: string

  private constructor(prefix: string) {
    this.#prefix = prefix
  }

  static with(prefix: string): Keys {
    if (/^[\w.:-]{1,64}$/.test(prefix)) return new Keys(prefix)
    throw new McpError('invalid_argument', 'prefix: expected 1 to 64 letters, digits and ".", ":", "_" or "-"')
  }

  /** The keys of one server of several. */
  below(name: string): Keys {
    return new Keys(`${this.#prefix}:${safeName(name)}`)
  }

  of(kind: KeyKind, owner: string, part?: string): string {
    const key = `${this.#prefix}:{${safeName(owner)}}:${kind}`
    return part === undefined ? key : `${key}:${safeName(part)}`
  }
}

/** Clients choose some ids, of any length and with any characters: those that could mean something are hashed. */
export function safeName(id: string): string {
  if (/^[\w.-]{1,96}$/.test(id)) return id
  // As JSON, which tells a lone surrogate from the character that would replace it.
  return `~${hash('sha256', JSON.stringify(id), 'base64url')}`
}
