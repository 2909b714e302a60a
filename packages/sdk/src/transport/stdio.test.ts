import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { channelSuite, notification, Recorder, request } from '../jsonrpc/channel.suite.ts'
import { bundle, fixture } from './bundle.suite.ts'
import { encodeLine } from './lines/lines.ts'
import { divertConsole, stdioChannel } from './stdio.ts'

channelSuite('stdio over two streams', async () => {
  const [there, back] = [new PassThrough(), new PassThrough()]
  return {
    a: stdioChannel({ input: back, output: there }),
    b: stdioChannel({ input: there, output: back }),
  }
})

class CountingSink extends Writable {
  readonly writes: string[] = []
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk.toString())
    done()
  }
}

describe('stdioChannel', () => {
  test('what is sent in one tick, and by promises that settle in it, is one write', async () => {
    const output = new CountingSink()
    const channel = stdioChannel({ input: new PassThrough(), output })
    const handle = async (id: number): Promise<void> => {
      for (let hop = 0; hop < id; hop++) await undefined
      void channel.send(request(id))
    }
    await Promise.all([1, 2, 3].map(handle))
    await channel.close()
    expect(output.writes).toEqual([[1, 2, 3].map((id) => encodeLine(request(id))).join('')])
  })

  test('answers may be sent after the input has ended, and are flushed by close', async () => {
    const output = new PassThrough()
    const channel = stdioChannel({ input: Readable.from([Buffer.from('{"a":1}')]), output })
    const recorder = new Recorder()
    channel.open(recorder)
    await recorder.untilClosed()
    expect(recorder.arrivals).toEqual([{ value: { a: 1 } }, { closed: undefined }])
    void channel.send(notification())
    await channel.close()
    expect(await text(output)).toBe(encodeLine(notification()))
  })

  test('a broken output closes the channel with the reason, and sending throws', async () => {
    const output = new PassThrough()
    const channel = stdioChannel({ input: new PassThrough(), output })
    const recorder = new Recorder()
    channel.open(recorder)
    output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    await recorder.untilClosed()
    expect(recorder.arrivals).toMatchObject([{ closed: { code: 'closed', message: expect.stringContaining('EPIPE') } }])
    expect(() => channel.send(notification())).toThrow(/EPIPE/)
    await channel.close()
    expect(recorder.closings).toBe(1)
  })

  test('a broken input closes the channel with the reason', async () => {
    const input = new PassThrough()
    const channel = stdioChannel({ input, output: new PassThrough() })
    const recorder = new Recorder()
    channel.open(recorder)
    input.destroy(new Error('read EIO'))
    await recorder.untilClosed()
    expect(recorder.arrivals).toMatchObject([{ closed: { code: 'closed', message: expect.stringContaining('EIO') } }])
    await channel.close()
  })

  test('close does not wait for ever for a reader that does not read', async () => {
    const output = new PassThrough({ highWaterMark: 1 })
    const channel = stdioChannel({ input: new PassThrough(), output, flushTimeoutMs: 20 })
    for (let i = 0; i < 3; i++) void channel.send(notification({ text: 'x'.repeat(100_000) }))
    await channel.close()
  })
})

describe('a server on the real standard streams', async () => {
  const library = await bundle('stdio.ts')
  const start = (...args: string[]): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [fixture('stdio-server.mjs'), library, ...args])

  test('answers everything it was sent before its input ended, then exits by itself', async () => {
    const server = start()
    server.stdin.end(Array.from({ length: 5000 }, (_, id) => encodeLine(request(id))).join(''))
    const [out, [code]] = await Promise.all([text(server.stdout), once(server, 'exit')])
    const ids = out.split('\n').map((line) => line && JSON.parse(line).id)
    expect(code).toBe(0)
    expect(ids.slice(0, 5000)).toEqual(Array.from({ length: 5000 }, (_, id) => id))
  })

  test('what other code prints goes to standard error until the channel is closed', async () => {
    const server = start()
    server.stdin.end(encodeLine(request(1)))
    const [out, err] = await Promise.all([text(server.stdout), text(server.stderr)])
    const answer = encodeLine({ jsonrpc: '2.0', id: 1, result: { text: '' } })
    expect(out).toBe(`${answer}"after close"\n`)
    for (const stray of ['stray log', "stray: 'dir'", "'table'", 'stray write', 'stray callback', 'closed: undefined'])
      expect(err).toContain(stray)
  })

  test('a client that stops reading does not crash it', async () => {
    const server = start('100000')
    const err = text(server.stderr)
    server.stdout.destroy()
    server.stdin.write(encodeLine(request(1)) + encodeLine(request(2)))
    const [code, signal] = await once(server, 'exit')
    server.stdin.destroy()
    expect({ code, signal, err: await err }).toEqual({
      code: 0,
      signal: null,
      err: expect.stringMatching(/closed: closed .*EPIPE/),
    })
  })

  test('an oversized line is answered by its id and the next line is served', async () => {
    const server = start()
    server.stdin.end(encodeLine(request(7, { big: 'x'.repeat(5_000_000) })) + encodeLine(request(8)))
    const [first, second] = (await text(server.stdout)).split('\n').map((line) => line && JSON.parse(line))
    expect(first).toMatchObject({ id: 7, error: { code: -32600, message: expect.stringContaining('4194304') } })
    expect(second).toMatchObject({ id: 8, result: {} })
  })
})

test('divertConsole gives back what it took, and leaves what somebody else put there', () => {
  const { log, info } = console
  const restore = divertConsole()
  expect(console.log).not.toBe(log)
  const theirs = (): void => {}
  console.info = theirs
  restore()
  expect(console.log).toBe(log)
  expect(console.info).toBe(theirs)
  console.info = info
})
