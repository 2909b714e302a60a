import { agree, serveIssuer } from '@tenon/issuer'
import { bearer } from '@tenon/sdk/auth/server'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { describe, expect, test } from 'vitest'
import type { AuthorizationQuestion, ServerView } from '../src/protocol.ts'
import { TestBench } from './workbench-in-test.suite.ts'

const whoami = tool({ name: 'whoami', run: (_input, { auth }) => `${auth?.principal?.split('/').at(-1)}` })

/** A server that demands a token, and the one that issues tokens. */
async function protectedServer(): Promise<AsyncDisposable & { url: string }> {
  const as = await serveIssuer({ users: [{ subject: 'ada' }] })
  const http = await serveHttp(createServer({ name: 'vault', version: '1.0.0', tools: [whoami] }), {
    port: 0,
    auth: bearer({ issuer: as.url }),
  })
  return {
    url: http.url,
    [Symbol.asyncDispose]: async () => {
      await http.close()
      await as.close()
    },
  }
}

const questionIn = (bench: TestBench): Promise<AuthorizationQuestion> =>
  bench.until((event) => {
    const questions =
      event.type === 'snapshot' ? event.snapshot.questions : event.type === 'question' ? [event.question] : []
    return questions.find((question) => question.kind === 'authorization')
  })

const serverThat = (bench: TestBench, ...statuses: string[]): Promise<ServerView> =>
  bench.until((event) => {
    const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
    return servers.find(({ status }) => statuses.includes(status))
  })

describe('a protected server', () => {
  test('the person is shown where to agree, and is connected when they are back', async () => {
    await using server = await protectedServer()
    await using bench = await TestBench.open({ servers: [{ kind: 'url', name: 'vault', url: server.url }] })
    const question = await questionIn(bench)
    const closed = bench.until((event) => (event.type === 'question-closed' ? event.question : undefined))
    await fetch(await agree(new URL(question.url), { user: 'ada' }))
    const { id } = await serverThat(bench, 'connected')
    expect(await closed).toBe(question.id)
    const operation = { method: 'tools/call' as const, name: 'whoami', arguments: {} }
    const { call } = await bench.run('call.start', { server: id, operation })
    const done = await bench.until((event) => {
      const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
      return calls.find((known) => known.id === call && known.outcome !== undefined)
    })
    expect(done.outcome).toMatchObject({ result: { content: [{ text: expect.stringMatching(/#ada$/) }] } })
    const { text } = await bench.run('timeline.export', { query: '' })
    expect(text).toContain('Bearer …')
    expect(text).not.toMatch(/"Authorization":"Bearer [^…]/)
  })

  test('whoever does not want to sign in is not connected, and nothing goes on waiting', async () => {
    await using server = await protectedServer()
    await using bench = await TestBench.open({ servers: [{ kind: 'url', name: 'vault', url: server.url }] })
    const { id } = await questionIn(bench)
    await bench.run('question.answer', { question: id, answer: { action: 'cancel' } })
    expect((await serverThat(bench, 'idle', 'failed')).status).toBe('idle')
  })

  test('where credentials were given, nobody is asked to sign in: the server says no', async () => {
    await using server = await protectedServer()
    const headers = { Authorization: 'Bearer wrong' }
    await using bench = await TestBench.open({ servers: [{ kind: 'url', name: 'vault', url: server.url, headers }] })
    expect((await serverThat(bench, 'failed')).problem).toMatchObject({ kind: 'unauthorized' })
  })
})
