// A URL at which a run makes a server start anew.
import { createServer } from 'node:http'

export async function restartControl(restart) {
  const control = createServer((_request, response) => {
    Promise.resolve(restart()).then(
      () => response.writeHead(204).end(),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise((resolve) => control.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${control.address().port}/`, close: () => control.close() }
}

/** For server scripts, which lose their sessions as if their process had started anew. */
export const restartUrl = async (restart) => (await restartControl(restart)).url
