import { McpError } from '../errors.ts'
import { Client } from './client.ts'
import { type ConnectOptions, resolveOptions } from './options.ts'
import { loadSchemaChecks } from './schema-checker.ts'
import { tapped } from './tapped.ts'
import { openTarget, type Target } from './target.ts'

/**
 * Connects to a server: one at a URL, one to be started as a process, a server definition in this process, or a
 * channel. The newest revision that both sides speak is used.
 *
 * @example
 * await using client = await connect('https://example.com/mcp', { headers: { Authorization: 'Bearer …' } })
 * for await (const tool of client.tools()) console.log(tool.name)
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Client> {
  const settings = resolveOptions(options)
  if (options.signal?.aborted)
    throw new McpError('cancelled', 'connect was cancelled', { cause: options.signal.reason })
  // Questions are answered in the order in which they came, so nothing is loaded in between.
  if (settings.elicit !== undefined) await loadSchemaChecks()
  return Client.open(tapped(openTarget(target, settings), settings), settings)
}
