// A change in one of four processes, until the last of many clients that listen at all of them has heard of it.
import { connect as connectSocket } from 'node:net'
import { startHost } from '../lib/child.mjs'
import { drive } from '../lib/driver.mjs'
import { headersFor, postBytes, request, toolCall } from '../lib/messages.mjs'
import { missing, startRedis } from '../lib/redis.mjs'
import { HttpConnection } from '../load/http-connection.mjs'
import { exchangeOnce } from '../load/http-load.mjs'

const processes = 4
const word = 'notifications/resources/updated'

await drive(async ({ adapter, settings, quick }) => {
  const redis = await startRedis()
  if (redis === undefined) return missing
  const shared = { ...settings, responseMode: 'auto', redisUrl: redis.url }
  const servers = []
  for (let i = 0; i < processes; i++) servers.push(await startHost(adapter, shared))
  const heard = { count: 0, changed: () => {} }
  const sockets = []
  const listeners = quick ? 2_000 : 10_000
  for (let i = 0; i < listeners; i += 100)
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, (_, j) => listen(portOf(servers, i + j), heard)))))
  const caller = new HttpConnection(portOf(servers, 0), () => {})
  return {
    async sample() {
      heard.count = 0
      const all = new Promise((resolve) => {
        heard.changed = () => heard.count >= listeners && resolve()
      })
      const began = performance.now()
      const touch = toolCall('modern', 1, 'touch', {})
      await exchangeOnce(caller, postBytes(portOf(servers, 0), touch, headersFor('modern', touch)))
      await all
      return { value: performance.now() - began }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      caller.close()
      for (const server of servers) await server.close()
      await redis.stop()
    },
  }
})

const portOf = (servers, index) => servers[index % servers.length].started.port

/** Opens a stream of 2026-07-28; done when it is acknowledged. */
function listen(port, heard) {
  const notifications = { resourceSubscriptions: ['note:///news'] }
  const message = request('modern', 1, 'subscriptions/listen', { notifications })
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, '127.0.0.1')
    socket.on('error', reject)
    socket.write(postBytes(port, message, headersFor('modern', message)))
    let rest = ''
    socket.setEncoding('latin1').on('data', (text) => {
      rest += text
      if (rest.includes('subscriptions/acknowledged')) resolve(socket)
      for (let at = rest.indexOf(word); at !== -1; at = rest.indexOf(word)) {
        rest = rest.slice(at + word.length)
        heard.count++
        heard.changed()
      }
      rest = rest.slice(-1_000)
    })
  })
}
