// For server scripts: a URL at which a run makes the server start anew, as if its process had.
import { createServer } from 'node:http'

export async function restartUrl(restart) {
  const control = createServer(async (_request, response) => {
    await restart()
    response.writeHead(204).end()
  })
  await new Promise((resolve) => control.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${control.address().port}/`
}
