import { McpError } from '../errors.ts'
import type { KnowsTools } from '../server/server.ts'
import { assertCapabilities } from './assert-options.ts'
import { loadSchemaChecks } from './calls/schema-checker.ts'
import { Client } from './client.ts'
import { openTarget, type Target } from './connecting/target.ts'
import { withTrafficListener } from './connecting/traffic-listener.ts'
import { type ConnectOptions, resolveOptions } from './options.ts'
import type { ToolsOf } from './tool-types.ts'

/**
 * Connects to a server: one at a URL, one to be started as a process, a server definition in this process, or a
 * channel. The newest revision that both sides speak is used.
 *
 * @example
 * await using client = await connect('https://example.com/mcp', { headers: { Authorization: 'Bearer …' } })
 * for await (const tool of client.tools()) console.log(tool.name)
 */
export async function connect<const T extends Target>(
  target: T,
  options: ConnectOptions = {},
): Promise<Client & KnowsTools<ToolsOf<T>>> {
  const settings = resolveOptions(options)
  assertCapabilities(options)
  if (options.signal?.aborted)
    throw new McpError('cancelled', 'connect was cancelled', { cause: options.signal.reason })
  // Input requests are answered in the order in which they came, so the checks are loaded before.
  if (settings.elicit !== undefined) await loadSchemaChecks()
  return Client.open(withTrafficListener(openTarget(target, settings), settings), settings)
}
