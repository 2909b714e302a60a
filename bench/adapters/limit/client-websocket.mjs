import { fromSdk } from '../../lib/from-sdk.mjs'
import { echoCall, textOf } from './requests.mjs'

const { WebSocket } = fromSdk('ws')

export async function open({ url }) {
  const socket = new WebSocket(url, 'mcp')
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Map()
  socket.on('message', (data) => {
    const answer = JSON.parse(data.toString())
    waiting.get(answer.id)(textOf(answer))
    waiting.delete(answer.id)
  })
  const call = (text) =>
    new Promise((resolve) => {
      const message = echoCall(text)
      waiting.set(message.id, resolve)
      socket.send(JSON.stringify(message))
    })
  return { call, close: () => socket.terminate() }
}
