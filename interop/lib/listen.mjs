// For server scripts: reports the URL to the parent process, and ends together with it.
import { createServer } from 'node:http'

/** Listens on any free port, and reports the URL. */
export async function listen(handler, path, more = {}) {
  const server = createServer((request, response) => {
    Promise.resolve(handler(request, response)).catch((error) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  announce(`http://127.0.0.1:${server.address().port}${path}`, more)
  return server
}

/** `more` has other facts for tasks: further URLs of the same server. */
export function announce(url, more = {}) {
  process.send({ url, ...more })
  process.once('disconnect', () => process.exit(0))
}
