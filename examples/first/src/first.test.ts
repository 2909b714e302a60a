/** The first server and the first client, as the README shows them. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('the client starts the server, calls its tool, prints the answer and ends by itself', async () => {
  const client = fileURLToPath(new URL('../dist/client.js', import.meta.url))
  const { stdout, stderr } = await run(process.execPath, [client], { timeout: 100_000 })
  expect({ stdout, stderr }).toEqual({ stdout: 'add: Adds two numbers\n19 + 23 = 42\n', stderr: '' })
})

test.each(['server.ts', 'client.ts'])('the README quotes %s', (file) => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(readFileSync(new URL(file, import.meta.url), 'utf8'))
})
