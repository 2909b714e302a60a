import { readdirSync, readFileSync } from 'node:fs'
import type { JsonObject } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { idsIn } from '../requirements/citations.ts'
import { requirements } from '../requirements/table.ts'
import { HttpPeer } from './play/http-peer.ts'
import { type Case, readCases } from './play/notation.ts'
import { patienceMs, playClient } from './play/play-client.ts'
import { Script } from './play/script.ts'
import { SsePeer } from './play/sse-peer.ts'
import { StdioPeer } from './play/stdio-peer.ts'
import { WebSocketPeer } from './play/websocket-peer.ts'

const folder = new URL('servers/', import.meta.url)
const files = readdirSync(folder).map((file) => ({
  file,
  cases: readCases(file, readFileSync(new URL(file, folder), 'utf8')),
}))
const all = files.flatMap(({ cases }) => cases)
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
/** All messages of clients. */
const received: string[] = []

async function play(one: Case, transport: string): Promise<string[]> {
  const script = new Script(one)
  const problems = await playOver(one, transport, script)
  received.push(...script.received)
  return problems
}

const peers: { [transport: string]: { open(script: Script): Promise<AsyncDisposable & { url: string }> } } = {
  http: HttpPeer,
  sse: SsePeer,
  websocket: WebSocketPeer,
}

async function playOver(one: Case, transport: string, script: Script): Promise<string[]> {
  if (transport === 'stdio') {
    await using peer = await StdioPeer.open(script)
    return await playClient(one, peer.target, script.received)
  }
  await using peer = await peers[transport]!.open(script)
  return await playClient(one, peer.url, script.received)
}

for (const { file, cases } of files) {
  describe.concurrent(`servers that misbehave: ${file}`, () => {
    for (const one of cases) {
      for (const transport of one.over) {
        test(
          `${one.title} (${transport}, line ${one.line})`,
          async ({ task }) => {
            task.meta.speaks = [one.speaks]
            expect(await play(one, transport)).toEqual([])
          },
          2 * patienceMs,
        )
      }
    }
  })
}

describe('the corpus', () => {
  test('has a case for each of many habits, each with a title of its own', () => {
    expect(all.length).toBeGreaterThanOrEqual(80)
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length)
  })

  test('cites requirements that exist, and are for clients', () => {
    const ids = all.flatMap(({ title }) => idsIn(title))
    expect(ids.filter((id) => !['client', 'both'].includes(requirements.get(id)?.role ?? ''))).toEqual([])
  })

  test('was answered with messages, and nothing else [stdio.stdin.messages-only]', () => {
    expect(received.length).toBeGreaterThan(0)
    const isMessage = ({ jsonrpc, method, result, error }: JsonObject): boolean =>
      jsonrpc === '2.0' && (typeof method === 'string' || isObject(result) || isObject(error))
    expect(received.filter((line) => !isMessage(JSON.parse(line)))).toEqual([])
  })

  test('says of every case what the client says, or that there is nothing to say', () => {
    const mute = all.filter(({ said, steps, silently }) => {
      const speaks = said.length > 0 || steps.some(({ expected }) => expected !== undefined && 'fails' in expected)
      return !speaks && !silently
    })
    expect(mute.map(({ title }) => title)).toEqual([])
  })
})
