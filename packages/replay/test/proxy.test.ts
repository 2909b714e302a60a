import { fileURLToPath } from 'node:url'
import { connect, openChannel } from '@tenon/sdk/client'
import { createServer, tool } from '@tenon/sdk/server'
import { memoryPair } from '@tenon/sdk/testing'
import { expect, test } from 'vitest'
import { memorySink, readSession, recorder, recordingProxy, replayServer } from '../src/replay.ts'
import { answering, visit } from './visit.ts'

const everything = fileURLToPath(new URL('../../../servers/everything/bin/everything.js', import.meta.url))

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a client and a process of %s speak through a proxy, and what they say is recorded',
  async (revision) => {
    const sink = memorySink()
    const recording = recorder(sink)
    const server = await openChannel({ command: process.execPath, args: [everything], stderr: recording.stderr })
    const [near, far] = memoryPair()
    const proxy = recordingProxy(far, server, recording)
    const client = await connect(near, { ...answering, revisions: [revision] })
    const seen = await visit(client)
    await client.close()
    expect(await proxy).toBeUndefined()
    await recording.close()
    const session = await readSession(sink.text)
    expect(session.events[0]).toMatchObject({ kind: 'opened', transport: 'stdio' })
    await using again = await connect(replayServer(session), { ...answering, revisions: [revision] })
    expect(await visit(again)).toEqual(seen)
  },
)

test('a server that ends takes the client with it, and the other way round', async () => {
  const crash = `process.stdin.once('data', () => process.exit(3))`
  const recording = recorder(memorySink())
  const server = await openChannel({ command: process.execPath, args: ['--eval', crash] })
  const [near, far] = memoryPair()
  const proxy = recordingProxy(far, server, recording)
  await expect(connect(near)).rejects.toMatchObject({ code: 'closed' })
  expect((await proxy)?.message).toContain('3')
})

test('lines that are no messages are recorded, and whoever waits is told', async () => {
  const sink = memorySink()
  const recording = recorder(sink)
  const noise = `
    process.stdout.write('Starting…\\n')
    process.stdin.once('data', () => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":' + '['.repeat(1000) + '\\n'))`
  const server = await openChannel({ command: process.execPath, args: ['--eval', noise] })
  const [near, far] = memoryPair()
  const proxy = recordingProxy(far, server, recording)
  const answer = new Promise((resolve) => near.open({ receive: resolve, refuse: () => {}, closed: () => {} }))
  near.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect(await answer).toMatchObject({ id: 1, error: { message: expect.stringContaining('') } })
  await near.close()
  await proxy
  await recording.close()
  const { events } = await readSession(sink.text)
  expect(events.filter(({ kind }) => kind === 'refused')).toMatchObject([{ from: 'server' }, { from: 'server' }])
})

test('what was asked before the client ended its half is still answered', async () => {
  const slow = tool({
    name: 'slow',
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return 'done'
    },
  })
  const server = createServer({ name: 'slow', version: '1', tools: [slow] })
  const sent: unknown[] = []
  let receiver: Parameters<Parameters<typeof recordingProxy>[0]['open']>[0] | undefined
  const client = {
    sendsAfterEnd: true,
    open: (given: NonNullable<typeof receiver>) => {
      receiver = given
    },
    send: (payload: unknown) => void sent.push(payload),
    close: async () => {},
  }
  const proxy = recordingProxy(client, await openChannel(server), recorder(memorySink()))
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
  receiver!.receive({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  receiver!.receive({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'slow' } })
  receiver!.closed()
  await proxy
  expect(sent).toMatchObject([{ id: 1 }, { id: 2, result: { content: [{ text: 'done' }] } }])
})
