import { serveWebSocket } from '@tenon/sdk/websocket'
import { definition } from './definition.mjs'

export async function start(settings) {
  const { url } = await serveWebSocket(definition(settings), { port: 0 })
  return { port: Number(new URL(url).port) }
}
