import { recordStoreChecks } from '@tenon/sdk/testing/stores'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Desk } from '../desk.suite.ts'
import { MemoryRecords } from './memory-records.ts'

const parts = { now: Date.now, ticks: () => performance.now(), warnings: new Set(['revoked']) }

describe('records in memory', () => {
  const checks = recordStoreChecks(() => {
    const records = new MemoryRecords({ ...parts, max: () => 100 })
    return [records, records]
  })
  for (const { name, run } of checks) test(name, run)

  test('are bounded: the one that was written longest ago makes room', async () => {
    const records = new MemoryRecords({ ...parts, max: () => 2 })
    const until = Date.now() + 60_000
    for (const id of ['a', 'b', 'a', 'c']) await records.set('code', id, id, until)
    expect(['a', 'b', 'c'].map((id) => records.get('code', id)?.text)).toEqual(['a', undefined, 'c'])
  })
})

describe('a clock that is set ahead and back', () => {
  afterEach(() => void vi.restoreAllMocks())

  test('makes no revoked token good again', async () => {
    const [real, clients] = [Date.now, [{ id: 'server', secret: 'secret-of-the-server' }]]
    let aheadMs = 0
    vi.spyOn(Date, 'now').mockImplementation(() => real.call(Date) + aheadMs)
    // With the clocks of the system; the monotonic one goes on.
    const desk = new Desk({ clients, ...({ now: undefined } as object) })
    const asks = { client_id: 'server', client_secret: 'secret-of-the-server' }
    const isActive = async (token: string): Promise<unknown> =>
      (await desk.post('/introspect', { ...asks, token })).body.active
    const { access, clientId } = await desk.tokens()
    expect(await isActive(access)).toBe(true)
    await desk.post('/revoke', { client_id: clientId, token: access })
    // Another one is revoked meanwhile, which is when the old ones are looked at.
    aheadMs = 86_400_000
    const other = await desk.tokens()
    await desk.post('/revoke', { client_id: other.clientId, token: other.access })
    aheadMs = 0
    expect(await isActive(access)).toBe(false)
  })
})
