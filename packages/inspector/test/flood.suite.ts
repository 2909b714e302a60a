import type { ServerSpec } from '../src/protocol.ts'

/** A server that sends many messages after the handshake, and with each ping `more` of them, about 1,000 in a second. */
export const flood = (count: number, more = 0): ServerSpec => {
  const script = `
    const heard = require('node:readline').createInterface({ input: process.stdin })
    heard.once('line', (line) => {
      const { id } = JSON.parse(line)
      const say = (message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n'
      const info = { name: 'flood', version: '1' }
      process.stdout.write(say({ id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: info } }))
      let n = 0
      const tell = (end, then) => {
        let text = ''
        for (; n < end; n++)
          text += say({ method: 'notifications/message', params: { level: 'info', data: 'message number ' + n } })
        process.stdout.write(text, then)
      }
      let end = ${count}
      const slowly = () => n < end && setTimeout(() => tell(Math.min(n + 20, end), slowly), 20)
      const much = () => n < ${count} && tell(Math.min(n + 1000, ${count}), much)
      much()
      heard.on('line', (next) => {
        const { id: asked, method } = JSON.parse(next)
        if (method !== 'ping') return
        process.stdout.write(say({ id: asked, result: {} }))
        end += ${more}
        slowly()
      })
    })`
  return { kind: 'command', name: 'flood', command: process.execPath, args: ['-e', script], revision: '2025-06-18' }
}
