import { serveStdio } from '@tenon/sdk/stdio'
import { bridgeOptions, openBridge } from '../../bridge/open.ts'
import { command } from '../../command.ts'
import { ExitCode } from '../../exit.ts'

export default command({
  name: 'connect',
  summary: 'Make a remote server usable by clients that start programs',
  usage: ['<target>', '-- <program> [argument…]'],
  details: `Speaks MCP on stdin and stdout, for a host to start: { "command": "npx", "args": ["tenon", "connect", "https://…"] }.
The host and the server may speak different revisions. If the server requires a login, the browser opens; the token is stored.`,
  examples: [
    { line: 'tenon connect https://example.com/mcp', shows: 'a remote server for a client on stdio' },
    { line: 'tenon connect -H "Authorization: Bearer $TOKEN" https://example.com/mcp', shows: 'with a token' },
  ],
  options: bridgeOptions,
  async run(call) {
    let isLost = false
    let end: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const { link } = await openBridge(call, {
      onEvent: (event) => {
        // The session ends with the server, and the connection with the session: the host notices.
        if (event.kind !== 'lost' || !event.session) return
        isLost = true
      },
    })
    const connection = await serveStdio(link.server, { exit: false, ...call.terminal.surroundings.output.connection })
    call.signal.addEventListener('abort', end, { once: true })
    await Promise.race([ended, connection.closed])
    await connection.close()
    await link.close()
    if (isLost) call.exitCode = ExitCode.Unreachable
    else call.signal.throwIfAborted()
  },
})
