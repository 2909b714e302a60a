// HTTP by hand on node:net, and JSON: what remains of the cost of a call without node:http. It knows the requests of the
// bench, and checks nothing.
import { createServer } from 'node:net'
import { legacy } from '../../lib/messages.mjs'
import { answerTo } from '../limit/answers.mjs'

export async function start({ responseMode = 'auto' }) {
  const reply = responseMode === 'sse' ? streamReply : jsonReply
  const server = createServer({ noDelay: true }, (socket) => serve(socket, reply))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port }
}

function serve(socket, reply) {
  let bytes
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    bytes = bytes === undefined ? chunk : Buffer.concat([bytes, chunk])
    for (let found = requestIn(bytes); found !== undefined; found = bytes && requestIn(bytes)) {
      bytes = found.end === bytes.length ? undefined : bytes.subarray(found.end)
      const { head, message } = found
      answerTo(message, (answered) => socket.write(reply(head, message, answered), 'utf8'))
    }
  })
}

/** The first request in the bytes, once it is whole. */
function requestIn(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = bytes.latin1Slice(0, headEnd)
  const end = headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < end) return undefined
  return { head, message: JSON.parse(bytes.utf8Slice(headEnd + 4, end)), end }
}

let date = new Date().toUTCString()
setInterval(() => {
  date = new Date().toUTCString()
}, 1000).unref()

let sessions = 0
let streams = 0

function jsonReply(_head, message, answered) {
  if (answered === undefined) return `HTTP/1.1 202 Accepted\r\nDate: ${date}\r\nContent-Length: 0\r\n\r\n`
  const body = JSON.stringify(answered)
  const session = message.method === 'initialize' ? `Mcp-Session-Id: ${String(sessions++).padStart(32, '0')}\r\n` : ''
  return (
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${session}Date: ${date}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

function streamReply(head, message, answered) {
  if (message.method !== 'tools/call') return jsonReply(head, message, answered)
  const data = `data: ${JSON.stringify(answered)}\n\n`
  const start =
    'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache, no-transform\r\n' +
    `X-Accel-Buffering: no\r\nDate: ${date}\r\nTransfer-Encoding: chunked\r\n\r\n`
  if (!head.includes(legacy)) return `${start}${chunk(data)}0\r\n\r\n`
  const stream = (streams++).toString(16).padStart(16, '0')
  return `${start}${chunk(`id: ${stream}.0\nretry: 1000\ndata: \n\n`)}${chunk(`id: ${stream}.1\n${data}`)}0\r\n\r\n`
}

const chunk = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
