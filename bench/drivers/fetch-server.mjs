// A handler of the kind (request) => response on Bun or Deno, driven over raw sockets from this process.
import { fileURLToPath } from 'node:url'
import { executable } from '../../runtimes/tools.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { startListening } from '../lib/foreign.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { HttpLoad } from '../load/http-load.mjs'

const host = fileURLToPath(new URL('../lib/fetch-host.mjs', import.meta.url))
const commands = { bun: ['run'], deno: ['run', '--allow-all', '--quiet'] }

await drive(async ({ adapter, settings: { runtime } }) => {
  const program = installed(runtime)
  if (program === undefined) return { unavailable: `${runtime} cannot be installed` }
  const server = await startListening([program, ...commands[runtime], host, adapter])
  const load = new HttpLoad(server.started.port, 'modern', exchangesFor('echo', 'modern', {}))
  await load.open(32)
  return {
    sample: (_row, milliseconds) => sampleWithCpu(server, () => load.run(milliseconds)),
    close() {
      load.close()
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
