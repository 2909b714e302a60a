import { McpError } from './errors.ts'
import { describe } from './jsonrpc/classify.ts'
import { checkKinds, type OptionKinds } from './options/check-kinds.ts'
import type { Server, ServerConnection } from './server/server.ts'
import { type StdioOptions, stdioChannel } from './transport/stdio.ts'
import { divertConsole } from './transport/stdout-guard.ts'

export { type StdioOptions, stdioChannel } from './transport/stdio.ts'

export interface ServeStdioOptions extends StdioOptions {
  /** End the process when the client is gone, so that no orphan is left behind. Default true. */
  exit?: boolean
}

const optionKinds: OptionKinds<ServeStdioOptions> = {
  input: 'object',
  output: 'object',
  flushTimeoutMs: 'number',
  exit: 'boolean',
  maxLineBytes: 'number',
  maxDepth: 'number',
}

/**
 * Serves one client over standard input and output, until the client is gone.
 *
 * `console.log` and all other writes to standard output go to standard error, so that they cannot corrupt the protocol.
 *
 * @example
 * await serveStdio(createServer({ name: 'tables', version: '1.0.0', tools: [book] }))
 */
export async function serveStdio<App>(server: Server<App>, options: ServeStdioOptions = {}): Promise<ServerConnection> {
  if (typeof server?.connect !== 'function') {
    throw new McpError(
      'invalid_argument',
      `serveStdio: expected a server made by createServer, got ${describe(server)}`,
    )
  }
  checkKinds(options, optionKinds, 'serveStdio', 'invalid_argument')
  const restoreConsole = divertConsole()
  const connection = server.connect(stdioChannel(options), { transport: 'stdio' })
  void connection.closed.then(async () => {
    await connection.close()
    restoreConsole()
    if (options.exit ?? true) process.exit()
  })
  return connection
}
