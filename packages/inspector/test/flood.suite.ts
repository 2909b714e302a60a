import type { ServerSpec } from '../src/protocol.ts'

/** A server that says very much as soon as somebody has said hello. */
export const flood = (count: number): ServerSpec => {
  const script = `
    process.stdin.once('data', (line) => {
      const { id } = JSON.parse(String(line).split('\\n')[0])
      const say = (message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n'
      const info = { name: 'flood', version: '1' }
      process.stdout.write(say({ id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: info } }))
      let n = 0
      const more = () => {
        let text = ''
        for (const end = Math.min(n + 1000, ${count}); n < end; n++)
          text += say({ method: 'notifications/message', params: { level: 'info', data: 'message number ' + n } })
        if (text !== '') process.stdout.write(text, more)
      }
      more()
    })
    process.stdin.resume()`
  return { kind: 'command', name: 'flood', command: process.execPath, args: ['-e', script], revision: '2025-06-18' }
}
