/** The library reads and runs the files that the pages show. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aboutSession, loadCalls, readSession, runCalls } from '../src/replay.ts'

const repo = new URL('../../../', import.meta.url)
const blocks = (page: string, language: string): string[] => {
  const text = readFileSync(new URL(`docs/${page}`, repo), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block!)
}

test('the session on the page can be read', async () => {
  const session = await readSession(blocks('session-files.md', 'json')[0]!)
  expect(session.warnings).toEqual([])
  expect(aboutSession(session)).toMatchObject({ revision: '2026-07-28', server: { name: 'door' } })
})

test('the calls on the page pass', async () => {
  const [yaml] = blocks('saved-calls.md', 'yaml')
  const bin = JSON.stringify(fileURLToPath(new URL('servers/everything/bin/everything.js', repo)))
  const file = loadCalls(
    yaml!
      .replace('servers/everything/bin/everything.js', bin)
      .replace('command: node', `command: ${JSON.stringify(process.execPath)}`),
  )
  const { failed, passed, calls } = await runCalls(file)
  expect(calls.flatMap(({ failures }) => failures)).toEqual([])
  expect({ failed, passed }).toEqual({ failed: 0, passed: 6 })
})
