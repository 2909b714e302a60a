/** A decision and the act that it guards read one target: any other spelling gets the same answer, or 400. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, assertAlive, bytesOfAsk, hostOf, type Listening, listeners, statusOf } from './lib/listeners.ts'
import { talk } from './lib/raw-socket.ts'
import { respell, someSpelling, spellings, usualSpelling } from './lib/spellings.ts'

// Node itself refuses a head that is too large, before any listener is called.
const malformed = [400, 431]

describe.each(listeners)('$name', ({ start }) => {
  let listening: Listening
  beforeAll(async () => {
    listening = await start()
  })
  afterAll(() => listening.close())

  const verdict = async (ask: Ask, target: string): Promise<number | undefined> =>
    statusOf(await talk({ port: listening.port }, [bytesOfAsk(ask, hostOf(listening), target)]))

  test('usual spellings get their answers', async () => {
    for (const ask of listening.asks) expect([ask.path, await verdict(ask, ask.path)]).toEqual([ask.path, ask.status])
  })

  test('every spelling of a target gets the verdict of the usual one, or 400', async () => {
    const found: string[] = []
    for (const ask of listening.asks) {
      for (const trick of spellings.keys()) {
        const target = respell([trick], ask.path, hostOf(listening))
        const status = await verdict(ask, target)
        if (![ask.status, ...malformed].includes(status!))
          found.push(`${ask.verb} ${ask.path}, ${trick}: ${status} in place of ${ask.status}`)
      }
    }
    expect(found).toEqual([])
    await assertAlive(listening)
  })

  test('and so does every combination of them', async () => {
    const which = fc.nat(listening.asks.length - 1)
    const property = fc.asyncProperty(which, someSpelling, async (index, tricks) => {
      const ask = listening.asks[index]!
      const target = respell(tricks, ask.path, hostOf(listening))
      const status = await verdict(ask, target)
      if (!malformed.includes(status!)) expect(status).toBe(await verdict(ask, usualSpelling(target)))
    })
    await fc.assert(property, { numRuns: 100 })
    await assertAlive(listening)
  })

  test('two Host lines are refused', async () => {
    for (const ask of listening.asks) {
      const twice = { ...ask, headers: [...ask.headers, 'Host: evil.example'] }
      expect(await verdict(twice, ask.path)).toBe(400)
    }
  })
})
