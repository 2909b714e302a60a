/** Notifications of a server, recorded and replayed. */
import {
  type Client,
  type ConnectOptions,
  connect,
  forgetServers,
  type Revision,
  revisions,
  type Target,
} from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createEverythingServer } from '@tenon/server-everything'
import { expect, test } from 'vitest'
import { memorySink, readSession, recorder, replayServer } from '../src/replay.ts'

/** Watches, changes, and waits for the news. */
async function listen(target: Target, options: ConnectOptions): Promise<string[]> {
  const heard: string[] = []
  const told = (news: string) => () => void heard.push(news)
  await using client: Client = await connect(target, {
    ...options,
    onLog: ({ level, data }) => void heard.push(`${level} ${JSON.stringify(data)}`),
  })
  client.onChange('tools', told('tools'))
  await using _watch = await client.watch('board:///today', ({ uri }) => void heard.push(uri))
  await client.setLoggingLevel('info')
  await client.callTool('count_primes', { below: 100 })
  await client.callTool('write_on_board', { text: 'Hello' })
  await expect.poll(() => heard).toContain('board:///today')
  await client.callTool('toggle_extras', { enabled: true })
  await expect.poll(() => heard).toContain('tools')
  return heard.sort()
}

async function record(target: Target, revision: Revision): Promise<{ heard: string[]; text: string }> {
  const sink = memorySink()
  const recording = recorder(sink)
  const heard = await listen(target, { revisions: [revision], onMessage: recording.onMessage })
  await recording.close()
  return { heard, text: sink.text }
}

test.each(revisions)('in memory, in %s', async (revision) => {
  const { heard, text } = await record(createEverythingServer(), revision)
  expect(heard.length).toBeGreaterThan(3)
  const replay = replayServer(await readSession(text))
  expect(await listen(replay, { revisions: [revision] })).toEqual(heard)
  expect(replay.report.unknownRequests).toEqual([])
})

test.each(revisions)('over HTTP, in %s', async (revision) => {
  forgetServers()
  await using http = await serveHttp(createEverythingServer(), { port: 0 })
  const { heard, text } = await record(http.url, revision)
  const replay = replayServer(await readSession(text))
  expect(await listen(replay, { revisions: [revision] })).toEqual(heard)
})
