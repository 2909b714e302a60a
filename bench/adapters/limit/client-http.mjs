// node:http with a keep-alive agent and JSON.
import { Agent, request } from 'node:http'
import { headersFor } from '../../lib/messages.mjs'
import { echoCall, textOf } from './requests.mjs'

export async function open({ url }) {
  const { hostname, port, pathname } = new URL(url)
  const agent = new Agent({ keepAlive: true })
  const call = (text) =>
    new Promise((resolve, reject) => {
      const message = echoCall(text)
      const body = JSON.stringify(message)
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headersFor('modern', message),
        'content-length': Buffer.byteLength(body),
      }
      const post = request({ agent, hostname, port, path: pathname, method: 'POST', headers }, (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          answer += chunk
        })
        response.on('end', () => resolve(textOf(JSON.parse(answer.startsWith('data: ') ? answer.slice(6) : answer))))
      })
      post.on('error', reject)
      post.end(body)
    })
  return { call, close: () => agent.destroy() }
}
