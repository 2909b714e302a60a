import { fromSdk } from '../../lib/from-sdk.mjs'
import { answerTo } from './answers.mjs'

const { WebSocketServer } = fromSdk('ws')

export async function start() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      answerTo(JSON.parse(data.toString()), (answered) => {
        if (answered !== undefined) socket.send(JSON.stringify(answered))
      })
    })
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return { port: server.address().port }
}
