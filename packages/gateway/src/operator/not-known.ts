import { McpError } from '@tenon/sdk/client'
import { nearest } from '@tenon/sdk/display'

/** A caller, a server or a name that the gateway does not have. */
export class NotKnownError extends McpError {
  /** Names that are close to it; all of them if none is and they are few. */
  readonly suggestions: readonly string[]

  constructor(what: string, given: string, known: Iterable<string>) {
    super('invalid_argument', `There is no ${what} ${JSON.stringify(given.slice(0, 200))}`)
    const all = new Set(known)
    const near = nearest(given, all)
    this.suggestions = near.length > 0 || all.size > 12 ? near : [...all]
  }
}
