import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TokenWatch } from './token-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = { expiresAt: undefined, recheck: undefined }

describe('what is open for a token', () => {
  test('ends when the token expires, be it in a month', async () => {
    const watch = new TokenWatch()
    const ended = vi.fn()
    watch.watch({ ...never, token: 't', expiresAt: Date.now() + 30 * 86_400_000 }, ended)
    await vi.advanceTimersByTimeAsync(30 * 86_400_000 - 1)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ended).toHaveBeenCalledOnce()
    expect([watch.size, vi.getTimerCount()]).toEqual([0, 0])
  })

  test('ends when the token is seen to be bad, all of it, and nothing of another token', () => {
    const watch = new TokenWatch()
    const ended: string[] = []
    for (const token of ['a', 'a', 'b']) watch.watch({ ...never, token }, () => ended.push(token))
    watch.refused('a')
    watch.refused('a')
    watch.refused('c')
    expect(ended).toEqual(['a', 'a'])
    expect(watch.size).toBe(1)
  })

  test('ends when its issuer, asked every minute, does not vouch for it any more', async () => {
    const watch = new TokenWatch()
    const ended = vi.fn()
    let good = true
    const recheck = vi.fn(async () => good)
    watch.watch({ token: 't', expiresAt: undefined, recheck }, ended)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(recheck).toHaveBeenCalledTimes(2)
    good = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ended).toHaveBeenCalledOnce()
  })

  test('is forgotten when it ends by itself, also while the issuer is being asked', async () => {
    const watch = new TokenWatch()
    const ended = vi.fn()
    let answer: (good: boolean) => void = () => {}
    const recheck = () => new Promise<boolean>((resolve) => (answer = resolve))
    const stop = watch.watch({ token: 't', expiresAt: undefined, recheck }, ended)
    await vi.advanceTimersByTimeAsync(60_000)
    stop()
    stop()
    answer(false)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(ended).not.toHaveBeenCalled()
    expect([watch.size, vi.getTimerCount()]).toEqual([0, 0])
  })
})
