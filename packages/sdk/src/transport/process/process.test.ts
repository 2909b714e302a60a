import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { requires } from '../../../../../scripts/requires.ts'
import { channelSuite, Recorder, request } from '../../jsonrpc/channel.suite.ts'
import { fixture } from '../bundle.suite.ts'
import { stdioChannel } from '../stdio.ts'
import { type ProcessChannel, type SpawnOptions, spawnChannel } from './process.ts'
import { isGone } from './process-list.suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = (script: string, args: string[] = [], options: Partial<SpawnOptions> = {}): Promise<ProcessChannel> =>
  spawnChannel({ command: process.execPath, args: [fixture(script), ...args], ...options })

async function open(channel: ProcessChannel): Promise<Recorder> {
  const recorder = new Recorder()
  channel.open(recorder)
  return recorder
}

async function trySending(channel: ProcessChannel): Promise<void> {
  try {
    await channel.send(request(1))
  } catch {
    // The end was noticed already.
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
}

let sockets = 0
channelSuite('a child process, through its pipes and a socket', async () => {
  const path = join(folder, `${sockets++}.sock`)
  const server = createServer()
  const connected = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const a = await start('relay.mjs', [path])
  const socket = await connected
  return { a, b: stdioChannel({ input: socket, output: socket }), close: () => void server.close() }
})

describe('a server process', () => {
  // [stdio.launch-subprocess] [stdio.shutdown.close-stdin-first] [life.shutdown.via-transport]
  test('echoes, and is gone after close', async () => {
    const channel = await start('echo.mjs')
    const recorder = await open(channel)
    void channel.send(request(1))
    await recorder.atLeast(1)
    await channel.close()
    expect(recorder.arrivals).toEqual([{ value: request(1) }, { closed: undefined }])
    expect(await channel.exited).toEqual({ code: 0, signal: null })
    expect(isGone(channel.pid)).toBe(true)
  })

  test('that crashes is reported at once, after its last message, with code and stderr', async () => {
    const channel = await start('crash.mjs', ['3'])
    const recorder = await open(channel)
    await recorder.untilClosed()
    expect(recorder.arrivals).toMatchObject([
      { value: { id: 1 } },
      {
        closed: {
          code: 'closed',
          message: expect.stringMatching(
            /crash\.mjs 3' exited with code 3; last stderr: cannot go on: the disk is full$/,
          ),
        },
      },
    ])
    expect(() => channel.send(request(2))).toThrow(/exited with code 3/)
    await channel.close()
    expect(recorder.closings).toBe(1)
  })

  test('that crashed before anybody listened loses nothing of what it said', async () => {
    const channel = await start('crash.mjs', ['1', '60000'])
    await channel.exited
    await new Promise((resolve) => setImmediate(resolve))
    const recorder = await open(channel)
    await recorder.untilClosed()
    expect(recorder.values).toMatchObject([{ id: 1, result: { text: 'x'.repeat(60_000) } }])
    expect(recorder.closings).toBe(1)
  })

  test('that is killed is reported with the signal', async () => {
    const channel = await start('echo.mjs')
    const recorder = await open(channel)
    process.kill(channel.pid, 'SIGKILL')
    await recorder.untilClosed()
    expect(recorder.arrivals).toMatchObject([{ closed: { message: expect.stringContaining('ended by SIGKILL') } }])
    await channel.close()
  })

  test('that does not read while it is sent a lot, and dies, breaks nothing', async () => {
    const channel = await start('stubborn.mjs')
    const recorder = await open(channel)
    await recorder.atLeast(1)
    for (let i = 0; i < 100; i++) void channel.send(request(i, { text: 'x'.repeat(10_000) }))
    process.kill(channel.pid, 'SIGKILL')
    await recorder.untilClosed()
    await channel.close()
    expect(recorder.closings).toBe(1)
  })

  test('that prints other things than messages is understood all the same', async () => {
    const channel = await start('banner.mjs')
    const recorder = await open(channel)
    void channel.send(request(1))
    await recorder.atLeast(3)
    expect(recorder.arrivals).toMatchObject([
      { refusal: { code: -32700, message: expect.stringContaining('Careless server') } },
      { refusal: { code: -32700 } },
      { value: request(1) },
    ])
    await channel.close()
  })

  // [stdio.stderr.not-an-error-signal]
  test('that floods standard error is not held up, and only the end is kept', async () => {
    const channel = await start('flood.mjs')
    const recorder = await open(channel)
    void channel.send(request(1))
    await recorder.atLeast(1)
    await channel.close()
    expect(channel.stderrTail()).toHaveLength(8192)
    expect(channel.stderrTail()).toMatch(/the last line\n$/)
  })

  test('can have its standard error handed to a listener', async () => {
    const heard: string[] = []
    const channel = await start('crash.mjs', ['0'], { stderr: (chunk) => heard.push(chunk) })
    await (await open(channel)).untilClosed()
    expect(heard.join('')).toBe('cannot go on: the disk is full\n')
  })

  for (const [fd, name] of [
    ['0', 'input'],
    ['1', 'output'],
  ] as const) {
    test(`that closes its ${name} but stays is ended`, async () => {
      const channel = await start('quiet.mjs', [fd], { closeTimeouts: { exitMs: 50, termMs: 500 } })
      const recorder = await open(channel)
      while (recorder.closings === 0) await trySending(channel)
      const message = expect.stringContaining(`closed its standard ${name}`)
      expect(recorder.arrivals).toMatchObject([{ closed: { message } }])
      await channel.exited
      await channel.close()
      expect(recorder.closings).toBe(1)
    })
  }

  test('that asks without reading the answers is ended before they fill the memory', async () => {
    const args = ['-e', 'setInterval(() => {}, 1000)']
    const options = { closeTimeouts: { exitMs: 50, termMs: 500 } }
    const channel = await spawnChannel({ command: process.execPath, args, ...options })
    const recorder = await open(channel)
    const text = 'x'.repeat(1024 * 1024)
    for (let id = 0; id < 10; id++) void channel.send(request(id, { text }))
    for (let id = 0; id < 10; id++) void channel.send({ jsonrpc: '2.0', id, result: { text } })
    expect(recorder.closings).toBe(0)
    expect(() => {
      for (let id = 0; id < 20; id++) void channel.send({ jsonrpc: '2.0', id, result: { text } })
    }).toThrow('does not read its standard input')
    await channel.close()
    expect(recorder.arrivals).toMatchObject([{ closed: { code: 'closed' } }])
    expect(isGone(channel.pid)).toBe(true)
  })

  test('sends lines over the limit in vain, and the next message arrives', async () => {
    const channel = await start('echo.mjs', [], { maxLineBytes: 1_000_000 })
    const recorder = await open(channel)
    void channel.send(request('big', { text: 'x'.repeat(1_000_000) }))
    void channel.send(request('small'))
    await recorder.atLeast(2)
    expect(recorder.arrivals).toMatchObject([{ refusal: { code: -32600, id: 'big' } }, { value: request('small') }])
    await channel.close()
  })
})

describe('close', () => {
  const closeTimeouts = { exitMs: 100, termMs: 100 }

  // [stdio.shutdown.wait-then-terminate] [stdio.shutdown.kill-last]
  test('kills a server that ignores the end of its input and SIGTERM', async () => {
    const channel = await start('stubborn.mjs', [], { closeTimeouts })
    await (await open(channel)).atLeast(1)
    await channel.close()
    expect(await channel.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  for (const mode of ['stay', 'go', 'leave']) {
    test(`leaves nothing of a tree whose root would ${mode}`, async () => {
      const channel = await start('tree.mjs', [mode], { closeTimeouts })
      const recorder = await open(channel)
      await recorder.atLeast(1)
      const { pids } = (recorder.values[0] as { params: { pids: number[] } }).params
      expect(pids).toHaveLength(3)
      if (mode === 'leave') await recorder.untilClosed()
      else expect(pids.some(isGone)).toBe(false)
      await channel.close()
      expect(pids.map(isGone)).toEqual([true, true, true])
    })
  }

  // Windows ends the tree by parent process.
  test('leaves what gave itself a session of its own, as SECURITY.md says', requires('posix'), async () => {
    const channel = await start('tree.mjs', ['detach'], { closeTimeouts })
    const recorder = await open(channel)
    await recorder.atLeast(1)
    const [root, ...detached] = (recorder.values[0] as { params: { pids: number[] } }).params.pids
    try {
      await channel.close()
      expect([isGone(root!), ...detached.map(isGone)]).toEqual([true, false, false])
    } finally {
      for (const pid of detached) process.kill(pid, 'SIGKILL')
    }
  })

  test('of a channel that was never opened ends the server too', async () => {
    const channel = await start('flood.mjs')
    await channel.close()
    expect(isGone(channel.pid)).toBe(true)
  })
})

describe('a server that cannot be started', () => {
  const failing = (options: SpawnOptions): Promise<unknown> =>
    spawnChannel(options).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    )

  test('is an error that names the program and what to do', async () => {
    expect(await failing({ command: 'no-such-program', args: ['--x'] })).toMatchObject({
      code: 'spawn',
      message: expect.stringMatching(/'no-such-program --x'.*not found; install it/),
      cause: { code: 'ENOENT' },
    })
  })

  test('because arguments are part of the command, says so', async () => {
    expect(await failing({ command: 'node server.js' })).toMatchObject({ message: expect.stringContaining("'args'") })
  })

  test('because the working directory is missing, says so', async () => {
    expect(await failing({ command: process.execPath, cwd: join(folder, 'missing') })).toMatchObject({
      code: 'spawn',
      message: expect.stringMatching(/working directory .*missing/),
    })
  })

  test('because the file is not executable, says so', async () => {
    const command = join(folder, 'script.sh')
    writeFileSync(command, 'true', { mode: 0o644 })
    expect(await failing({ command })).toMatchObject({ message: expect.stringContaining('make it executable') })
  })

  test('because of an argument that the system cannot take, is an error of the same kind', async () => {
    expect(await failing({ command: process.execPath, args: ['a\0b'] })).toMatchObject({ code: 'spawn' })
  })
})
