// A command that lists the tools of a server over stdio, from its start to its end. The server is the limit, which takes as
// little time as a server can.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { drive } from '../lib/driver.mjs'

const run = promisify(execFile)
const server = fileURLToPath(new URL('../adapters/limit/stdio-server.mjs', import.meta.url))

await drive(async ({ adapter }) => {
  const { listCommand } = await import(pathToFileURL(adapter).href)
  // The settings of whoever runs the bench do not matter.
  const home = mkdtempSync(join(tmpdir(), 'tenon-bench-'))
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, NO_COLOR: '1' }
  return {
    async sample() {
      const started = performance.now()
      const { stdout } = await run(process.execPath, listCommand(server), { cwd: home, env })
      const value = performance.now() - started
      if (!/\becho\b/.test(stdout)) throw new Error(`no tool is listed: ${stdout.slice(0, 300)}`)
      return { value }
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  }
})
