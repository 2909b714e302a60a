import { createServer } from 'node:net'
import { definition } from './definition.mjs'

// It does not report the port that it got for 0.
async function freePort() {
  const probe = createServer()
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}

export async function start({ responseMode = 'auto' }) {
  const port = await freePort()
  const httpStream = { port, host: '127.0.0.1', enableJsonResponse: responseMode !== 'sse' }
  await definition().start({ transportType: 'httpStream', httpStream })
  return { port, eras: ['session'] }
}
