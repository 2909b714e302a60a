import type { Operation } from './protocol.ts'

export interface AppCommands {
  /** The address of the sandbox page, which is on another site than the page at `pageHost` (`127.0.0.1` if it is not said). */
  'app.sandbox': { params: { pageHost?: string }; result: { url: string } }
  /**
   * A request of a view to its server: tools that are visible to apps, and resources. Its progress is published as that
   * of any call.
   */
  'app.call': {
    params: { server: string; operation: Extract<Operation, { method: 'tools/call' | 'resources/read' }> }
    result: { call: string }
  }
}
