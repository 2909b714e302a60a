/** Follows the page about troubleshooting: each mistake is made, and prints the message that stands there. */
import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Authenticate, serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { test } from 'vitest'
import { readPage } from '../../../scripts/read-page.ts'
import { bin, cleanEnv, everythingUrl, temporaryFolder } from './tenon.ts'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

test('the mistakes on the page print the messages on the page', { timeout: 180_000 }, async () => {
  const auth: Authenticate = (request) =>
    request.header('x-api-key') === 'key-of-ada' ? { principal: 'ada', scopes: [] } : { status: 401 }
  const server = createServer({ name: 'notes', version: '1.0.0', tools: [tool({ name: 'whoami', run: () => 'ada' })] })
  await using locked = await serveHttp(server, { auth })
  const ports = [
    [':3000', `:${new URL(await everythingUrl()).port}`],
    [':3001', `:${locked.port}`],
  ] as const

  const cwd = realpathSync(temporaryFolder())
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'))
  mkdirSync(join(cwd, 'bin'))
  writeFileSync(join(cwd, 'bin/tenon'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  const env = { ...cleanEnv(cwd), PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, npm_config_update_notifier: 'false' }

  await readPage(join(root, 'docs/troubleshooting.md'), {
    type: async (line) => {
      const typed = ports.reduce((rest, [written, real]) => rest.replaceAll(written, real), line)
      const run = exec('bash', ['-c', `{ ${typed}\n} 2>&1`], { cwd, env, timeout: 100_000 })
      const { stdout } = await run.catch((failed: { stdout: string }) => failed)
      const printed = ports.reduce((rest, [written, real]) => rest.replaceAll(real, written), stdout)
      return printed.replaceAll(cwd, '/home/ada/desk')
    },
    save: (name, text) => writeFileSync(join(cwd, name), text),
  })
})
