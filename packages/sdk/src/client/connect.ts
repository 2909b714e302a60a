import { McpError } from '../errors.ts'
import { tap } from '../transport/tap.ts'
import { Client } from './client.ts'
import { type ConnectOptions, callListener, resolveOptions, type Settings } from './options.ts'
import { loadSchemaChecks } from './schema-checker.ts'
import { type Opener, openTarget, type Target } from './target.ts'

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
  return Client.open(watched(openTarget(target, settings), settings), settings)
}

/** An opener whose channels, be they the first or those after a restart, tell what passes through them. */
function watched(opener: Opener, { onMessage, report }: Settings): Opener {
  if (onMessage === undefined) return opener
  const open = async () => tap(await opener.open(), 'client', (event) => callListener(report, onMessage, event))
  return { ...opener, open }
}
