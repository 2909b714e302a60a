import type { HttpClientOptions } from '../../http-client/http-options.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import { openTarget, type Target } from './target.ts'

/**
 * Opens a channel to a server without sending anything, for programs that pass messages on as they are; all others use
 * `connect`. The first `send` begins the conversation, and nothing is negotiated.
 *
 * @example
 * const channel = await openChannel({ command: 'node', args: ['server.js'] })
 */
export async function openChannel(target: Target, options: HttpClientOptions = {}): Promise<Channel> {
  return openTarget(target, options).open()
}
