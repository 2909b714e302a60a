// node:http and JSON, and nothing else.
import { createServer } from 'node:http'
import { legacy } from '../../lib/messages.mjs'
import { answerTo } from './answers.mjs'
import { listBytes } from './list-bytes.mjs'

export async function start({ responseMode = 'auto', tools = 0 }) {
  const reply = tools > 0 ? listReply(tools) : responseMode === 'sse' ? streamReply : jsonReply
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void openStream(response)
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => reply(body === '' ? {} : JSON.parse(body), response, request))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port }
}

const streamHead = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}
let sessions = 0
let streams = 0

function jsonReply(message, response) {
  if (message.params?.name === 'count') return progressReply(message, response)
  answerTo(message, (answered) => {
    if (answered === undefined) return void response.writeHead(202, { 'content-length': 0 }).end()
    const body = JSON.stringify(answered)
    response.writeHead(200, { ...jsonHead(message), 'content-length': Buffer.byteLength(body) }).end(body)
  })
}

function jsonHead({ method }) {
  const head = { 'content-type': 'application/json' }
  return method === 'initialize' ? { ...head, 'mcp-session-id': String(sessions++).padStart(32, '0') } : head
}

function streamReply(message, response, request) {
  if (message.method !== 'tools/call') return jsonReply(message, response)
  answerTo(message, (answered) => {
    response.writeHead(200, streamHead)
    const data = `data: ${JSON.stringify(answered)}\n\n`
    if (request.headers['mcp-protocol-version'] !== legacy) return void response.end(data)
    const stream = nextStream()
    response.write(`id: ${stream}.0\nretry: 1000\ndata: \n\n`)
    response.end(`id: ${stream}.1\n${data}`)
  })
}

const nextStream = () => (streams++).toString(16).padStart(16, '0')

async function progressReply(message, response) {
  response.writeHead(200, streamHead)
  const { progressToken } = message.params._meta
  const total = message.params.arguments.to
  for (let progress = 1; progress <= total; progress++) {
    const params = { progressToken, progress, total }
    const data = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`
    if (!response.write(data)) await new Promise((resolve) => response.once('drain', resolve))
  }
  answerTo(message, (answered) => response.end(`data: ${JSON.stringify(answered)}\n\n`))
}

function listReply(count) {
  const bytes = listBytes(count)
  return (_message, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes)
  }
}

function openStream(response) {
  response.writeHead(200, streamHead)
  response.write('id: 0000000000000000.0\nretry: 1000\ndata: \n\n')
}
