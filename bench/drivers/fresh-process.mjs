// Things that happen once in a process, each time in a fresh one: see lib/once.mjs.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { drive } from '../lib/driver.mjs'

const run = promisify(execFile)
const once = fileURLToPath(new URL('../lib/once.mjs', import.meta.url))

await drive(async ({ adapter, execArgv }) => ({
  async sample({ task, count = 0 }) {
    const { stdout } = await run(process.execPath, [...execArgv, once, task, adapter, String(count)])
    return { value: Number(stdout) }
  },
  close() {},
}))
