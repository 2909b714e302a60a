import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bin, thought } from './helpers.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Standard error of a process that gets one thought and ends. */
async function saidWith(env: { [name: string]: string }): Promise<string> {
  const child = spawn(process.execPath, [bin], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const clientInfo = { name: 'test', version: '1' }
  const messages = [
    { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    {
      id: 1,
      method: 'tools/call',
      params: { name: 'sequentialthinking', arguments: thought('\u001b[2Jdeep\nthought') },
    },
  ]
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let answered = ''
  for await (const chunk of child.stdout) {
    answered += chunk
    if (answered.includes('"id":1')) break
  }
  child.stdin.end()
  await once(child, 'close')
  return said
}

test('thoughts are written to standard error, where they control nothing, unless that is turned off', async () => {
  expect(await saidWith({})).toMatch(/^\[[0-9a-f]{8}\] Thought 1\/3: ␛\[2Jdeep thought\n$/)
  expect(await saidWith({ DISABLE_THOUGHT_LOGGING: 'true' })).toBe('')
})

test('npx finds the command from the root of the repository', async () => {
  const child = spawn('npx', ['--no-install', 'tenon-sequential-thinking', '--help'], { cwd: root })
  let help = ''
  child.stdout.on('data', (chunk) => {
    help += chunk
  })
  expect(await once(child, 'close')).toEqual([0, null])
  expect(help).toContain('DISABLE_THOUGHT_LOGGING')
})
