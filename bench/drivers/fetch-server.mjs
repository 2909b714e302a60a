// A handler of the kind (request) => response on Bun or Deno, driven over raw sockets from this process.
import { fileURLToPath } from 'node:url'
import { executable } from '../../runtimes/tools.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { startListening } from '../lib/foreign.mjs'
import { openLoad } from '../load/open-load.mjs'

const host = fileURLToPath(new URL('../lib/fetch-host.mjs', import.meta.url))
const commands = { bun: ['run'], deno: ['run', '--allow-all', '--quiet'] }

await drive(async ({ adapter, settings: { runtime } }) => {
  const program = installed(runtime)
  if (program === undefined) return { unavailable: `${runtime} cannot be installed` }
  const server = await startListening([program, ...commands[runtime], host, adapter])
  let current
  return {
    async sample(row, milliseconds) {
      if (current?.id !== row.id) {
        current?.load.close()
        current = { id: row.id, load: await openLoad(server.started, row) }
      }
      return sampleWithCpu(server, () => current.load.run(milliseconds))
    },
    close() {
      current?.load.close()
      return server.close()
    },
  }
})

function installed(runtime) {
  try {
    return executable(runtime)
  } catch {
    return undefined
  }
}
