import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { afterAll, expect, test } from 'vitest'
import {
  aboutSession,
  fileSink,
  memorySink,
  readSession,
  readSessionFile,
  recorder,
  type SessionSink,
  sessionText,
} from '../src/replay.ts'

const folder = await mkdtemp(join(tmpdir(), 'tenon-session-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const header = '{"tenonSession":1,"at":1}\n'
const note = '{"kind":"note","at":2,"text":"hello"}\n'

test('what is written is read again, kinds of later versions too', async () => {
  const text = `${header}${note}{"kind":"telepathy","at":3,"strength":0.5}\n\n{"kind":"closed","at":4}\n`
  const session = await readSession(text)
  expect(session.events.map(({ kind }) => kind)).toEqual(['note', 'other', 'closed'])
  expect(sessionText(session)).toBe(text.replace('\n\n', '\n'))
  expect(session.warnings).toEqual([])
})

test('it makes no difference how the bytes of a file arrive', async () => {
  const bytes = new TextEncoder().encode(`${header}${note.replace('hello', 'Grüße 🎉')}`)
  const whole = await readSession([bytes])
  for (const size of [1, 2, 3, 7]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.slice(i * size, (i + 1) * size),
    )
    expect(await readSession(chunks)).toEqual(whole)
  }
  expect(whole.events).toEqual([{ kind: 'note', at: 2, text: 'Grüße 🎉' }])
})

test('a last line that was cut off is left out with a warning', async () => {
  const session = await readSession(`${header}${note}${note.slice(0, 20)}`)
  expect(session.events).toHaveLength(1)
  expect(session.warnings).toEqual(['line 3: the last line is incomplete and was left out'])
  const complete = await readSession(`${header}${note.trim()}`)
  expect(complete).toMatchObject({ events: [{ text: 'hello' }], warnings: [] })
})

test.each([
  ['', 'line 1: the file is empty'],
  ['hello\n', 'line 1: not JSON: hello'],
  ['[]\n', 'line 1: a session file begins with {"tenonSession":1, …}, got a list'],
  ['{"kind":"note"}\n', 'line 1: a session file begins with {"tenonSession":1, …}, got {"kind":"note"}'],
  ['{"tenonSession":2,"at":1}\n', 'line 1: tenonSession: this version reads 1, got 2'],
  ['{"tenonSession":1}\n', 'line 1: at: expected a number within ±8.64e15, got nothing'],
  [`${header}\n{"at":1}\n`, 'line 3: kind: expected a string, got nothing'],
  [`${header}{"kind":"note","at":"x"}\n`, 'line 2: at: expected a number within ±8.64e15, got "x"'],
  [`${header}{"kind":"note","at":1,"text":5}\n`, 'line 2: text: expected a string, got 5'],
  [`${header}{"kind":"message","at":1,"from":"me"}\n`, 'line 2: from: expected "client" or "server", got "me"'],
  [`${header}{"kind":"message","at":1,"from":"client"}\n`, 'line 2: payload: expected a message, got nothing'],
  [`${header}{"kind":"note","at":1e999,"text":"x"}\n`, 'line 2: at: expected a number within ±8.64e15, got Infinity'],
  [
    `${header}{"kind":"http","at":1,"http":{"id":1,"phase":"end","method":{},"url":"x","headers":{}}}\n`,
    'line 2: http.method: expected a string, got an object',
  ],
  [`${header}half of\n${note}`, 'line 2: not JSON: half of'],
])('%j is refused with the place', async (text, problem) => {
  await expect(readSession(text)).rejects.toMatchObject({ name: 'SessionFileError', message: problem })
})

test('lines and files are bounded', async () => {
  const long = `${header}{"kind":"note","at":1,"text":"${'x'.repeat(1_000)}"}\n`
  const problem = 'line 2: longer than the limit of 500 characters'
  await expect(readSession(long, { maxLineLength: 500 })).rejects.toThrow(problem)
  // It is not waited for the end of a line that has none.
  async function* endless() {
    yield header
    for (;;) yield 'x'.repeat(100)
  }
  await expect(readSession(endless(), { maxLineLength: 500 })).rejects.toThrow(problem)
  const deep = `${header}{"kind":"x","at":1,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`
  await expect(readSession(deep)).rejects.toThrow('line 2: nests deeper than 256 levels')
  const texts = `${header}{"kind":"note","at":1,"text":"${'[\\"'.repeat(1_000)}"}\n`
  expect((await readSession(texts)).events).toHaveLength(1)
  await expect(readSession(header + note.repeat(3), { maxEvents: 2 })).rejects.toThrow(
    'line 4: more than the limit of 2 events',
  )
})

const server = createServer({
  name: 'door',
  version: '1.0.0',
  tools: [tool({ name: 'greet', run: () => 'Good day' })],
})

test('a recording says what it is about, and only its owner may read it', async () => {
  const path = join(folder, 'private.jsonl')
  const recording = recorder(await fileSink(path), {
    target: {
      command: 'node',
      args: ['server.js', '--api-key', 'k-1', '--token=t-2', 'DB_PASSWORD=p-3', '--port', '80'],
      env: { API_KEY: 'e-4', HOME: '/home' },
    },
    title: 'A visit',
    by: 'test',
  })
  const client = await connect(server, { onMessage: recording.onMessage, info: { name: 'me', version: '2' } })
  await client.callTool('greet')
  recording.note('here it went well')
  recording.stderr('listening\n')
  await client.close()
  await recording.close('the visit is over')
  const session = await readSessionFile(path)
  expect(session.header).toMatchObject({
    title: 'A visit',
    by: 'test',
    target: {
      command: 'node',
      args: ['server.js', '--api-key', '[redacted]', '--token=[redacted]', 'DB_PASSWORD=[redacted]', '--port', '80'],
      env: ['API_KEY', 'HOME'],
    },
  })
  expect(await readFile(path, 'utf8')).not.toMatch(/k-1|t-2|p-3|e-4/)
  expect(aboutSession(session)).toMatchObject({
    client: { name: 'me', version: '2' },
    server: { name: 'door', version: '1.0.0' },
    revision: '2026-07-28',
  })
  expect(session.events.map(({ kind }) => kind)).toEqual([
    'message',
    'message',
    'agreed',
    'message',
    'message',
    'note',
    'stderr',
    'closed',
  ])
  expect(session.events.at(-1)).toMatchObject({ reason: 'the visit is over', redacted: 3 })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('lines are written in order by a sink that takes its time', async () => {
  const lines: string[] = []
  const slow: SessionSink = {
    write: async (line) => {
      await new Promise((resolve) => setTimeout(resolve, lines.length % 3))
      lines.push(line)
    },
  }
  const recording = recorder(slow)
  for (let i = 0; i < 20; i++) recording.note(String(i))
  await recording.close()
  const { events } = await readSession(lines.join(''))
  expect(events.map((event) => ('text' in event ? event.text : event.kind))).toEqual([
    ...Array.from({ length: 20 }, (_, i) => String(i)),
    'closed',
  ])
})

test('a sink that fails is reported, and what is recorded goes on', async () => {
  const errors: Error[] = []
  let writes = 0
  const full: SessionSink = {
    write: () => {
      writes += 1
      if (writes > 2) throw new Error('No space left')
    },
  }
  const recording = recorder(full, { onError: (error) => errors.push(error) })
  await using client = await connect(server, { onMessage: recording.onMessage })
  expect((await client.callTool('greet')).text).toBe('Good day')
  await expect(recording.close()).rejects.toThrow('No space left')
  expect(errors).toHaveLength(1)
  expect(writes).toBe(3)
})

test('without redaction everything is written, but for what the target is configured with', async () => {
  const sink = memorySink()
  const recording = recorder(sink, { redact: false, target: 'https://user:pw@example.com/mcp?api_key=k-1&page=2' })
  recording.note('Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl')
  await recording.close()
  expect(sink.text).toContain('eyJzdWIiOiIxIn0')
  expect((await readSession(sink.text)).header.target).toEqual({
    url: 'https://example.com/mcp?api_key=[redacted]&page=2',
  })
})

test('a session over HTTP has its requests, and no credentials', async () => {
  await using http = await serveHttp(server, { port: 0 })
  const headers = { Authorization: 'Bearer open-sesame-1', 'X-Api-Key': 'open-sesame-2' }
  const sink = memorySink()
  const recording = recorder(sink, {
    target: { url: `${http.url}?token=open-sesame-3`, headers: Object.keys(headers) },
  })
  const client = await connect(`${http.url}?token=open-sesame-3`, {
    headers,
    onMessage: recording.onMessage,
    onHttp: recording.onHttp,
  })
  await client.callTool('greet')
  await client.close()
  await recording.close()
  expect(sink.text).not.toContain('sesame')
  const { events } = await readSession(sink.text)
  const steps = events.flatMap((event) => (event.kind === 'http' ? [event.http] : []))
  expect(steps.map(({ phase }) => phase).sort()).toEqual(['end', 'end', 'reply', 'reply', 'request', 'request'])
  const request = { phase: 'request', method: 'POST', headers: { Authorization: 'Bearer …', 'X-Api-Key': '…' } }
  expect(steps.find(({ phase }) => phase === 'request')).toMatchObject(request)
})
