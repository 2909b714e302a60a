/** A few of the 200 kills of `npm run soak:crash`. Needs a build. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { requireBuild, requires } from '../../scripts/requires.ts'
import { Ledger } from './ledger.ts'

const program = fileURLToPath(new URL('run.mjs', import.meta.url))

async function run(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(child, 'close')
  return said
}

test('writers killed on a disk that fills up lose nothing, leave nothing and disturb nobody', {
  ...requires('small-disk'),
  timeout: 90_000,
}, async () => {
  requireBuild()
  expect(await run('--kills', '20')).toContain('all is well')
})

test('writers killed on the disk here lose nothing, leave nothing and disturb nobody', async () => {
  requireBuild()
  expect(await run('--kills', '5', '--disk', 'here')).toContain('all is well')
}, 60_000)

test('a kill may keep what was tried, and must keep what was acknowledged', () => {
  const ledger = new Ledger()
  for (const line of ['try task a 1', 'done task a 1', 'try task a 2', 'try file 1', 'done file 1', 'try file 2'])
    ledger.note(line)
  ledger.checkTask('a', 2)
  ledger.checkValue('file', '2')
  expect(ledger.problems).toEqual([])
  ledger.checkTask('a', 1)
  ledger.checkValue('file', '1')
  for (const line of ['try delete a', 'done delete a']) ledger.note(line)
  ledger.checkTask('a', 2)
  ledger.note('wrong Error: odd task b 1')
  expect(ledger.problems).toEqual([
    'task a: expected 2 to 2, found 1',
    'file: expected 2, found 1',
    'task a: expected none, found 2',
    'a writer failed: Error: odd task b 1',
  ])
})
