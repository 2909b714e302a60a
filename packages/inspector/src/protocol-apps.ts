import type { Operation } from './protocol.ts'

/** Something that the policy of a view has blocked, as the browser reports it. */
export interface AppViolation {
  /** The directive of the policy, such as `connect-src`. */
  directive: string
  /** The address, or a word such as `inline`. */
  blocked: string
  /** The place in the view that tried it. */
  source?: string
  line?: number
}

export interface AppCommands {
  /**
   * The address of the sandbox page, which is on another site than the page at `pageHost` (`127.0.0.1` if it is not said), for
   * one view: `view` is its name in reports of its violations.
   */
  'app.sandbox': { params: { pageHost?: string }; result: { url: string; view: string } }
  /**
   * A request of a view to its server: tools that are visible to apps, and resources. Its progress is published as that
   * of any call.
   */
  'app.call': {
    params: { server: string; operation: Extract<Operation, { method: 'tools/call' | 'resources/read' }> }
    result: { call: string }
  }
}
