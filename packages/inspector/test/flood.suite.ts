import type { ServerSpec } from '../src/protocol.ts'

/** A server that says very much as soon as somebody has said hello, and then `more` of it, about 1,000 in a second. */
export const flood = (count: number, more = 0): ServerSpec => {
  const script = `
    process.stdin.once('data', (line) => {
      const { id } = JSON.parse(String(line).split('\\n')[0])
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
      const slowly = () => n < ${count + more} && setTimeout(() => tell(n + 20, slowly), 20)
      const more = () => n < ${count} ? tell(Math.min(n + 1000, ${count}), more) : slowly()
      more()
    })
    process.stdin.resume()`
  return { kind: 'command', name: 'flood', command: process.execPath, args: ['-e', script], revision: '2025-06-18' }
}
