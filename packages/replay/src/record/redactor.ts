import { isSecretName } from '@tenon/sdk/display'
import { isObject } from '../json/is-object.ts'
import { redactionMarker } from '../json/redaction-marker.ts'
import { hideCredentials } from './hide-credentials.ts'
import { isSchemaName, isSecretObject } from './secret-members.ts'

/** Redaction beyond the defaults. */
export interface RedactOptions {
  /** Further names of members whose value is secret, in any case. */
  names?: readonly string[]
  /** Names whose value stays, although it looks secret. */
  keep?: readonly string[]
  /** Matches are redacted in every string. */
  patterns?: readonly RegExp[]
  /** Known secrets, redacted in every string. */
  secrets?: readonly string[]
}

// Shorter ones occur in texts that are no secret.
const minLearned = 8
// A server that calls everything a secret must not make each message cost more than the one before.
const maxLearned = 200

/**
 * Redacts secrets. The same secret always leaves the same marker, so a client's copy of an earlier value still matches.
 * A value with a secret name is remembered, and redacted wherever else it occurs.
 */
export class Redactor {
  /** How many values were left out so far. */
  count = 0
  readonly #names: ReadonlySet<string>
  readonly #keep: ReadonlySet<string>
  readonly #patterns: readonly RegExp[]
  readonly #known: Set<string>
  readonly #room: number

  constructor({ names = [], keep = [], patterns = [], secrets = [] }: RedactOptions = {}) {
    this.#names = new Set(names.map((name) => name.toLowerCase()))
    this.#keep = new Set(keep.map((name) => name.toLowerCase()))
    this.#patterns = patterns.map(({ source, flags }) => new RegExp(source, flags.includes('g') ? flags : `${flags}g`))
    // The longest first: one secret may be the beginning of another.
    this.#known = new Set(secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length))
    this.#room = this.#known.size + maxLearned
  }

  /** A copy without secrets. */
  value<T>(value: T): T {
    this.#learn(value, false)
    return this.#copy(value, false) as T
  }

  /** A text without secrets. */
  text(text: string): string {
    let hidden = text
    for (const secret of this.#known) {
      if (!hidden.includes(secret)) continue
      this.count += 1
      hidden = hidden.replaceAll(secret, redactionMarker)
    }
    hidden = hideCredentials(hidden, () => this.#gap())
    for (const pattern of this.#patterns) hidden = hidden.replace(pattern, () => this.#gap())
    return hidden
  }

  #gap(): string {
    this.count += 1
    return redactionMarker
  }

  #isSecret(name: string): boolean {
    if (this.#keep.size === 0 && this.#names.size === 0) return isSecretName(name)
    const plain = name.toLowerCase()
    return !this.#keep.has(plain) && (this.#names.has(plain) || isSecretName(name))
  }

  #learn(value: unknown, secret: boolean): void {
    if (typeof value === 'string') {
      const isNew = secret && value.length >= minLearned && value !== redactionMarker && !isLeftOut(value)
      if (isNew && this.#known.size < this.#room) this.#known.add(value)
    } else if (Array.isArray(value)) {
      for (const item of value) this.#learn(item, secret)
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (!isSchemaName(name)) this.#learn(member, this.#holds(secret, name, member))
      }
    }
  }

  #copy(value: unknown, secret: boolean): unknown {
    if (typeof value === 'string') return secret && !isLeftOut(value) ? this.#gap() : this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, secret))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        isSchemaName(name) ? this.#texts(member) : this.#copy(member, this.#holds(secret, name, member)),
      ]),
    )
  }

  #holds(secret: boolean, name: string, member: unknown): boolean {
    return secret || this.#isSecret(name) || (isObject(member) && isSecretObject(name))
  }

  /** Redacts texts only: in a schema, names say nothing about values. */
  #texts(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.#texts(item))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.#texts(member)]))
  }
}

/** Empty, or redacted before: the SDK writes `Bearer …` for credentials in headers. */
const isLeftOut = (value: string): boolean =>
  /^(?:(?:Basic|Bearer|Digest|DPoP|Negotiate|Token|ApiKey) )?…$|^$/i.test(value)
