import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import type { ConnectOptions } from '../options.ts'
import type { ProcessTarget, RestartOptions } from './target.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-client-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// A small legacy server: it crashes on request, and names its process.
const script = join(folder, 'server.mjs')
writeFileSync(
  script,
  `import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const [, , habit, diary] = process.argv
if (diary !== undefined) appendFileSync(diary, 'started\\n')
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    serverInfo: { name: String(process.pid), version: '1' },
  }),
  'tools/call': ({ name }) => {
    if (name === 'crash') {
      process.stderr.write('the reason of the crash\\n')
      process.exit(1)
    }
    return name === 'hang' ? undefined : { content: [{ type: 'text', text: name }] }
  },
  'resources/subscribe': ({ uri }) => {
    setTimeout(() => send({ method: 'notifications/resources/updated', params: { uri } }), 5)
    return {}
  },
  'logging/setLevel': ({ level }) => {
    send({ method: 'notifications/message', params: { level, data: 'level set' } })
    return {}
  },
  ping: () => ({}),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'server/discover' && habit === 'exits on the probe') process.exit(2)
  if (method === 'notifications/initialized' && habit === 'does not stay') process.exit(3)
  if (id === undefined) return
  const answer = answers[method]
  if (answer === undefined) return send({ id, error: { code: -32601, message: 'no ' + method } })
  const result = answer(params)
  if (result !== undefined) send({ id, result })
}).on('close', () => process.exit(0))
`,
)

const target = (restart?: boolean | RestartOptions, ...args: string[]): ProcessTarget => ({
  command: process.execPath,
  args: [script, ...args],
  ...(restart === undefined ? {} : { restart }),
})

function nextRestart(): { options: ConnectOptions; restarted: Promise<void> } {
  let resolve: () => void = () => {}
  const restarted = new Promise<void>((done) => {
    resolve = done
  })
  return { options: { onRestart: () => resolve() }, restarted }
}

describe('a server process', () => {
  test('that crashes fails pending calls at once, with the end of its stderr', async () => {
    await using client = await connect(target())
    const hanging = client.callTool('hang')
    const crashing = client.callTool('crash')
    for (const call of [hanging, crashing]) {
      await expect(call).rejects.toMatchObject({
        code: 'closed',
        message: expect.stringMatching(/the reason of the crash/),
      })
    }
    expect(await client.closed).toMatchObject({ code: 'closed' })
    await expect(client.callTool('echo')).rejects.toMatchObject({ code: 'closed' })
  })

  test('that exits on the probe is started again for the handshake', async () => {
    await using client = await connect(target(undefined, 'exits on the probe'))
    expect(client.server.revision).toBe('2025-11-25')
    expect((await client.callTool('echo')).text).toBe('echo')
  })

  test('that is no server, and prints something else, is quoted', async () => {
    const print = (then: string): ProcessTarget => ({
      command: process.execPath,
      args: ['-e', `console.log('Usage: tables [options]'); ${then}`],
      closeTimeouts: { exitMs: 50 },
    })
    await expect(connect(print('process.exit(2)'))).rejects.toMatchObject({
      code: 'closed',
      message: expect.stringMatching(/exited with code 2; what it sent was not understood: .*"Usage: tables/),
    })
    const hanging = connect(print('setInterval(() => {}, 1000)'), { probeTimeoutMs: 1_000, timeoutMs: 1_000 })
    await expect(hanging).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/did not complete the handshake: .*"Usage: tables/),
    })
  })

  test('that cannot be started is a spawn error', async () => {
    await expect(connect({ command: join(folder, 'missing') })).rejects.toMatchObject({ code: 'spawn' })
  })
})

describe('restart', () => {
  // [stdio.restart.after-crash] [ver.compat.cache-era]
  test('gives later calls a new process, in the known revision and without a new probe', async () => {
    const diary = join(folder, 'diary')
    const { options, restarted } = nextRestart()
    await using client = await connect(target(true, 'exits on the probe', diary), options)
    const before = client.server.info?.name
    await expect(client.callTool('crash')).rejects.toMatchObject({ code: 'closed' })
    expect((await client.callTool('echo')).text).toBe('echo')
    await restarted
    expect(client.server.info?.name).not.toBe(before)
    expect(client.server.revision).toBe('2025-11-25')
    // Two for the first connection, which began with a probe, and one for the second.
    expect(readFileSync(diary, 'utf8').match(/started/g)).toHaveLength(3)
  })

  test('tells the new process what the old one was told', async () => {
    const told: unknown[] = []
    const updates: unknown[] = []
    await using client = await connect(target(true), { onLog: ({ level }) => told.push(level) })
    await client.setLoggingLevel('warning')
    await client.watch('file:///a', (update) => updates.push(update))
    await expect.poll(() => updates.length).toBe(1)
    await expect(client.callTool('crash')).rejects.toMatchObject({ code: 'closed' })
    // Once because nobody could tell meanwhile, and once because the new process does at once.
    await expect.poll(() => updates.length).toBe(3)
    await expect.poll(() => told).toEqual(['warning', 'warning'])
  })

  test('gives up when the process does not stay, and says so', async () => {
    let restarts = 0
    const options: ConnectOptions = { onRestart: () => ++restarts, revisions: ['2025-11-25'] }
    await using client = await connect(target({ maxAttempts: 3, backoffMs: 1 }, 'does not stay'), options)
    const reason = await client.closed
    expect(reason).toMatchObject({ code: 'closed', message: expect.stringMatching(/3 attempts/) })
    expect(restarts).toBe(3)
    await expect(client.ping()).rejects.toMatchObject({ code: 'closed' })
  })

  test('stops when the client is closed while a new process is being started', async () => {
    const client = await connect(target(true))
    await expect(client.callTool('crash')).rejects.toMatchObject({ code: 'closed' })
    const waiting = expect(client.ping()).rejects.toMatchObject({ code: 'closed' })
    await client.close()
    await waiting
    expect(await client.closed).toMatchObject({ message: 'The client was closed' })
  })

  test('pauses between attempts that fail', async () => {
    const moving = join(folder, 'gone.mjs')
    copyFileSync(script, moving)
    const failures: number[] = []
    const restart = { backoffMs: 200, maxAttempts: 2 }
    const onError = (): unknown => failures.push(performance.now())
    await using client = await connect({ command: process.execPath, args: [moving], restart }, { onError })
    rmSync(moving)
    await expect(client.callTool('crash')).rejects.toMatchObject({ code: 'closed' })
    expect(await client.closed).toMatchObject({ message: expect.stringMatching(/2 attempts/) })
    expect(failures).toHaveLength(2)
    // The timer's own granularity is all that may be missing.
    expect(failures[1]! - failures[0]!).toBeGreaterThan(190)
  })

  test('stops when the client is closed in the pause before the next attempt', async () => {
    const moving = join(folder, 'moving.mjs')
    copyFileSync(script, moving)
    let failed: (error: Error) => void = () => {}
    const failure = new Promise<Error>((resolve) => {
      failed = resolve
    })
    const restart = { backoffMs: 60_000 }
    const client = await connect(
      { command: process.execPath, args: [moving], restart },
      { onError: (error) => failed(error) },
    )
    rmSync(moving)
    await expect(client.callTool('crash')).rejects.toMatchObject({ code: 'closed' })
    expect((await failure).message).toMatch(/moving.mjs/)
    const stop = new AbortController()
    const impatient = expect(client.ping({ signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
    stop.abort()
    await impatient
    const waiting = expect(client.ping()).rejects.toMatchObject({ code: 'closed' })
    await client.close()
    await waiting
  })
})
