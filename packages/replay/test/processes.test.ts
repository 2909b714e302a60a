import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, revisions } from '@tenon/sdk/client'
import { afterAll, expect, test } from 'vitest'
import { readSessionFile } from '../src/replay.ts'
import { everything } from './tour.ts'
import { answering, visit } from './visit.ts'

const folder = await mkdtemp(join(tmpdir(), 'tenon-replay-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url))
const node = process.execPath

test.each(revisions)(
  'a host of %s speaks with a server that is recorded, and then with the recording',
  async (revision) => {
    const path = join(folder, `${revision}.jsonl`)
    const recorded = { command: node, args: [fixture('record'), path, node, everything] }
    const client = await connect(recorded, { ...answering, revisions: [revision] })
    const seen = await visit(client)
    await client.close()
    const session = await readSessionFile(path)
    expect(session.warnings).toEqual([])
    expect(session.events.at(-1)).toMatchObject({ kind: 'closed' })
    await using again = await connect(
      { command: node, args: [fixture('replay'), path] },
      { ...answering, revisions: [revision] },
    )
    expect(await visit(again)).toEqual(seen)
  },
)

test('what is piped into a recorded server, or into a recording, is answered to the end', async () => {
  const path = join(folder, 'piped.jsonl')
  const pipe = async (...args: string[]): Promise<string> => {
    const child = spawn(node, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } }
    const lines = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'count_down', arguments: { from: 2, intervalMs: 50 } } },
    ]
    child.stdin.end(lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''))
    let output = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) output += chunk
    return output
  }
  const said = await pipe(fixture('record'), path, node, everything)
  expect(said).toContain('Lift-off')
  expect((await readSessionFile(path)).events.at(-1)).toMatchObject({ kind: 'closed' })
  expect(await pipe(fixture('replay'), path)).toBe(said)
})
