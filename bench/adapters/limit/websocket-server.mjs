import { fromSdk } from '../../lib/from-sdk.mjs'
import { answer } from './answers.mjs'

const { WebSocketServer } = fromSdk('ws')

export async function start() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const answered = answer(JSON.parse(data.toString()))
      if (answered !== undefined) socket.send(JSON.stringify(answered))
    })
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return { port: server.address().port }
}
