import { expect, test } from 'vitest'
import { readCredentials } from '../../src/credentials/config.ts'
import { createCredentials } from '../../src/credentials/source.ts'
import { SubjectTokens } from '../../src/identity/subject-tokens.ts'
import type { GatewayCaller } from '../../src/model.ts'
import { callerNamed } from './world.ts'

const server = 'http://127.0.0.1:9'

/** The same numbers in every run of a seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Pending {
  readonly subject: string
  readonly audience: string
  answer(response: Response): void
}

/** A token endpoint that answers in an order that the test chooses, with what it was asked for. */
class Endpoint {
  readonly pending: Pending[] = []
  count = 0

  readonly fetch = (async (_url: string, init: RequestInit) => {
    const form = new URLSearchParams(String(init.body))
    return new Promise<Response>((answer) => {
      this.pending.push({ subject: form.get('subject_token')!, audience: form.get('audience')!, answer })
    })
  }) as typeof fetch

  settle(index: number, fails: boolean): void {
    const [{ subject, audience, answer } = undefined!] = this.pending.splice(index, 1)
    const number = ++this.count
    const body = fails
      ? { error: 'server_error' }
      : {
          access_token: `${subject}>${audience}#${number}`,
          token_type: 'bearer',
          expires_in: number % 5 === 0 ? 1 : 60,
        }
    answer(
      new Response(JSON.stringify(body), {
        status: fails ? 500 : 200,
        headers: { 'content-type': 'application/json' },
      }),
    )
  }
}

async function createSource(endpoint: Endpoint, tokens: SubjectTokens, now: () => number) {
  const exchange = (audience: string): object => ({
    type: 'token-exchange',
    issuer: server,
    tokenEndpoint: `${server}/token`,
    client: { id: 'gateway' },
    audience,
  })
  const read = readCredentials({ hr: exchange('hr'), pay: exchange('pay') })
  if (!('value' in read)) throw new Error(JSON.stringify(read.issues))
  const secrets = { env: {}, folder: '.', keychain: { get: () => undefined } }
  const options = { secrets, now, network: { fetch: endpoint.fetch }, subjects: { tokens, signIns: undefined } }
  const { source } = await createCredentials(read.value, { ...options, urlOf: () => undefined, accounts: undefined })
  return source
}

/** Everything that is on its way in this process has happened. */
const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('no caller gets the token of another caller, token or upstream, in any order of requests, answers, refusals and departures', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = seeded(seed)
    const endpoint = new Endpoint()
    const tokens = new SubjectTokens()
    let time = 1_000_000
    const source = await createSource(endpoint, tokens, () => time)
    const callers = ['ada', 'ada', 'bob', 'eve'].map((name, index): [GatewayCaller, string] => {
      const caller = callerNamed(name)
      tokens.set(caller, `${name}-${index}`)
      return [caller, `${name}-${index}`]
    })
    const wrong: string[] = []
    const work: Promise<void>[] = []
    let answered = 0
    const call = async (): Promise<void> => {
      const [caller, subject] = callers[random(callers.length)]!
      const upstream = random(2) === 0 ? 'hr' : 'pay'
      const stop = new AbortController()
      const leaves = random(6) === 0
      const asked = source.credentialsFor(caller, upstream, stop.signal)
      if (leaves) stop.abort()
      const given = await asked.catch(() => undefined)
      if (given === undefined) return
      answered += 1
      const [, token] = given.headers!.Authorization!.split(' ')
      if (!token!.startsWith(`${subject}>${upstream}#`))
        wrong.push(`seed ${seed}: ${subject} at ${upstream} got ${token}`)
      if (random(3) === 0) await source.refused!(caller, upstream, random(4) === 0 ? undefined : given)
    }
    for (let step = 0; step < 60; step++) {
      if (random(3) > 0) work.push(call())
      if (random(3) === 0) await idle()
      if (endpoint.pending.length > 0 && random(2) === 0)
        endpoint.settle(random(endpoint.pending.length), random(8) === 0)
      // One token at a time for a caller, a token and an upstream.
      const asked = endpoint.pending.map(({ subject, audience }) => `${subject}>${audience}`)
      if (new Set(asked).size < asked.length) wrong.push(`seed ${seed}: ${asked.join(' ')}`)
      time += random(20_000)
    }
    let isDone = false
    const all = Promise.all(work).finally(() => {
      isDone = true
    })
    while (!isDone) {
      while (endpoint.pending.length > 0) endpoint.settle(random(endpoint.pending.length), false)
      await idle()
    }
    await all
    expect(wrong).toEqual([])
    expect(answered).toBeGreaterThan(5)
  }
})
