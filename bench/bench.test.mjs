import { describe, expect, test } from 'vitest'
import { UsageError } from '../scripts/command-line.mjs'
import { start as startLimit } from './adapters/limit/http-server.mjs'
import { start as startTenon } from './adapters/tenon/http-server.mjs'
import { readArgs } from './lib/args.mjs'
import { headersFor, request, toolCall } from './lib/messages.mjs'
import { median, spread } from './lib/stats.mjs'
import { figureFor, isReached, ofLimit } from './lib/targets.mjs'
import { Lines, WebSocketFrames } from './load/frames.mjs'

describe('the limit sends the same bytes as Tenon', () => {
  const echo = toolCall('modern', 1, 'echo', { text: 'hello' })
  const progress = toolCall('modern', 1, 'count', { to: 3 }, { progressToken: 'bench' })
  const list = request('modern', 0, 'tools/list')

  test.each([
    ['JSON', { responseMode: 'json' }, echo],
    ['events', { responseMode: 'sse' }, echo],
    ['progress', {}, progress],
    ['a list of 1,000 tools', { tools: 1000 }, list],
  ])('%s', async (_name, settings, message) => {
    const [ours, bare] = [await startTenon(settings), await startLimit(settings)]
    expect(await post(bare.port, message)).toBe(await post(ours.port, message))
  })
})

async function post(port, message) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headersFor('modern', message),
  }
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
  })
  expect(response.status).toBe(200)
  return response.text()
}

describe('frames come out as they went in, however they are cut', () => {
  const texts = ['{"a":1}', `"${'x'.repeat(300)}"`, '"ü"']

  test('lines', () => {
    const bytes = Buffer.concat(texts.map((text) => Lines.wrap(text)))
    for (let size = 1; size < 20; size++) expect(received(Lines, bytes, size)).toEqual(texts)
  })

  test('WebSocket frames', () => {
    const bytes = Buffer.concat(texts.map(unmasked))
    for (let size = 1; size < 20; size++) expect(received(WebSocketFrames, bytes, size)).toEqual(texts)
  })

  function received(Frames, bytes, size) {
    const found = []
    const frames = new Frames((one) => found.push(one.toString()))
    for (let at = 0; at < bytes.length; at += size) frames.push(bytes.subarray(at, at + size))
    return found
  }

  function unmasked(text) {
    const payload = Buffer.from(text)
    const head = payload.length < 126 ? [0x81, payload.length] : [0x81, 126, payload.length >> 8, payload.length & 255]
    return Buffer.concat([Buffer.from(head), payload])
  }
})

test('the middle and the spread of samples', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(spread([1, 2, 3, 4, 5])).toBeCloseTo(1 / 3)
})

test('a target is reached or not, or cannot be judged', () => {
  const target = ofLimit(0.8)
  expect(isReached(target, figureFor(target, { limit: 100 }, 81))).toBe(true)
  expect(isReached(target, figureFor(target, { limit: 100 }, 79))).toBe(false)
  expect(figureFor(target, {}, 79)).toBeUndefined()
})

test.each([['--only', 'tenon,nobody'], ['--scenario', ''], ['--reps', '1.5'], ['--rounds', '-1'], ['--fast']])(
  '%s %s is refused, naming what was expected',
  (...argv) => {
    expect(() => readArgs(argv, ['tenon', 'limit'], ['stdio'])).toThrow(UsageError)
  },
)
