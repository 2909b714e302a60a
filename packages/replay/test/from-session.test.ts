// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how saved calls write variables
import { connect, revisions } from '@tenon/sdk/client'
import { createServer, tool } from '@tenon/sdk/server'
import { createEverythingServer } from '@tenon/server-everything'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  callsFromSession,
  loadCalls,
  memorySink,
  readSession,
  recorder,
  replayServer,
  runCalls,
} from '../src/replay.ts'
import { recordVisit } from './visit.ts'

test.each(revisions)('calls made of a session of %s pass on the session, and most on the server', async (revision) => {
  const { session } = await recordVisit(createEverythingServer({ onError: () => {} }), { revisions: [revision] })
  const file = loadCalls(callsFromSession(session, { title: 'A visit' }))
  expect(file.title).toBe('A visit')
  expect(file.calls.length).toBeGreaterThan(20)
  const run = (target: Parameters<typeof connect>[0]) =>
    runCalls(
      { ...file, roots: [{ uri: 'file:///home/ada', name: 'home' }] },
      {
        revisions: [revision],
        connect: (_, options) => connect(target, options),
      },
    )
  const replayed = await run(replayServer(session))
  expect(replayed.calls.flatMap(({ failures }) => failures)).toEqual([])
  // The time differs, and so does the id of the crash.
  const live = await run(createEverythingServer({ onError: () => {} }))
  expect(
    live.calls
      .filter(({ status }) => status === 'failed')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['tool clock_now', 'tool crash'])
})

test('what was redacted is found in the environment', async () => {
  const login = tool({
    name: 'login',
    input: { type: 'object', properties: { userPassword: { type: 'string' }, note: { type: 'string' } } },
    run: (given) => `Welcome ${(given as { note: string }).note}`,
  })
  const server = createServer({ name: 'a', version: '1', tools: [login] })
  const sink = memorySink()
  const recording = recorder(sink)
  const client = await connect(server, { onMessage: recording.onMessage })
  await client.callTool('login', { userPassword: 'open sesame', note: '${x}' })
  await client.close()
  await recording.close()
  const text = callsFromSession(await readSession(sink.text))
  expect(parse(text).calls).toMatchObject([
    {
      tool: 'login',
      arguments: { userPassword: '${env.USER_PASSWORD}', note: '$${x}' },
      expect: { text: 'Welcome $${x}' },
    },
  ])
  const opener = (_: unknown, options: object) => connect(server, options)
  const result = await runCalls(loadCalls(text), { connect: opener, env: { USER_PASSWORD: 'open sesame' } })
  expect(result.calls).toMatchObject([{ status: 'passed', outcome: { text: 'Welcome ${x}' } }])
})
