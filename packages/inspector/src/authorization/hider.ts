import { hidden } from '../protocol-servers.ts'
import { isObject } from '../read-params.ts'

const secretNames: ReadonlySet<string> = new Set([
  'access_token',
  'actor_token',
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'device_code',
  'id_token',
  'password',
  'refresh_token',
  'registration_access_token',
  'subject_token',
  'token',
])
const shownHeaders =
  /^(?:accept|content-type|mcp-protocol-version|user-agent|www-authenticate|dpop-nonce|retry-after)$/i
const maxDepth = 32
/** Shorter ones would be found in words that have nothing to do with them. */
const minSecretLength = 4

type Texts = { [name: string]: string }

/** Takes secrets out of shown values, also where they are quoted later on. */
export class Hider {
  readonly #known = new Set<string>()

  /** The fields of a form. */
  form(text: string): Texts {
    const entries = [...new URLSearchParams(text)].map(([name, value]) => [name, this.named(name, value)])
    return Object.fromEntries(entries)
  }

  /** A JSON value; parts that are nested too deeply are left out. */
  json(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value)
    if (depth >= maxDepth) return typeof value === 'object' && value !== null ? '…' : value
    if (Array.isArray(value)) return value.map((item) => this.json(item, depth + 1))
    if (!isObject(value)) return value
    const shown = Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' ? this.named(name, member) : this.json(member, depth + 1),
    ])
    return Object.fromEntries(shown)
  }

  /** The value of something that has a name. */
  named(name: string, value: string): string {
    if (!secretNames.has(name)) return this.text(value)
    this.learn(value)
    return hidden
  }

  text(text: string): string {
    let shown = text
    for (const secret of this.#known) shown = shown.replaceAll(secret, hidden)
    return shown
  }

  learn(secret: string): void {
    if (secret.length < minSecretLength) return
    this.#known.add(secret)
    this.#known.add(encodeURIComponent(secret))
  }

  /** The headers of a request: of credentials only the scheme is left. */
  headers(headers: Texts): Texts {
    const shown = Object.entries(headers).map(([name, value]) => {
      if (shownHeaders.test(name)) return [name, this.text(value)]
      const scheme = /^([A-Za-z][\w-]*) /.exec(value)?.[1]
      return [name, scheme === undefined ? hidden : `${scheme} ${hidden}`]
    })
    return Object.fromEntries(shown)
  }

  replyHeaders(headers: Texts): Texts {
    const shown = Object.entries(headers).map(([name, value]) => [
      name,
      name.toLowerCase() === 'set-cookie' ? hidden : this.text(value),
    ])
    return Object.fromEntries(shown)
  }
}
