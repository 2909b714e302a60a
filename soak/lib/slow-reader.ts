import { connect } from 'node:net'

const meta = '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"big","arguments":{"n":8000000},"_meta":${meta}}}`

/** Requests a lot, reads nothing of it for a while, and disconnects. */
export async function readSlowly(port: number, ms: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'Mcp-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Mcp-Name: big',
    `Content-Length: ${Buffer.byteLength(call)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${call}`)
  await new Promise((resolve) => setTimeout(resolve, ms))
  socket.destroy()
}
