import { Agent, request } from 'node:http'

/** `node:http` with an agent that keeps connections. */
export function openNodeHttp(port, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const target = { agent, port, host: '127.0.0.1', path: '/mcp', method: 'POST' }
  return (body, headers) =>
    new Promise((resolve, reject) => {
      const post = request({ ...target, headers }, (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          answer += chunk
        })
        response.on('end', () => resolve(answer)).on('error', reject)
      })
      post.on('error', reject).end(body)
    })
}
