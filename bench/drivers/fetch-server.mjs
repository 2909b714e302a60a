// A handler of the kind (request) => response on Bun or Deno, driven over raw sockets from this process.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { executable } from '../../runtimes/tools.mjs'
import { cpuSecondsOf } from '../lib/child.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { HttpLoad } from '../load/http-load.mjs'

const host = fileURLToPath(new URL('../lib/fetch-host.mjs', import.meta.url))
const commands = { bun: ['run'], deno: ['run', '--allow-all', '--quiet'] }

await drive(async ({ adapter, settings: { runtime } }) => {
  const program = installed(runtime)
  if (program === undefined) return { unavailable: `${runtime} cannot be installed` }
  const child = spawn(program, [...commands[runtime], host, adapter], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await portOf(child)
  const load = new HttpLoad(port, 'modern', exchangesFor('echo', 'modern', {}))
  await load.open(32)
  const server = { cpuSeconds: async () => cpuSecondsOf(child.pid) }
  return {
    sample: (_row, milliseconds) => sampleWithCpu(server, () => load.run(milliseconds)),
    close() {
      load.close()
      child.kill('SIGKILL')
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

function portOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the server ended (${code})`)))
    child.stdout.on('data', (data) => {
      const found = /port (\d+)/.exec(data.toString())
      if (found) resolve(Number(found[1]))
    })
  })
}
