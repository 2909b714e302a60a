import type { Operation } from './protocol.ts'

export interface AppCommands {
  /** The address of the sandbox page, which has an origin of its own. */
  'app.sandbox': { params: Record<string, never>; result: { url: string } }
  /**
   * What a view asks of the server that it came from: tools that are visible to apps, and resources. How it goes is told as
   * with any call.
   */
  'app.call': {
    params: { server: string; operation: Extract<Operation, { method: 'tools/call' | 'resources/read' }> }
    result: { call: string }
  }
}
