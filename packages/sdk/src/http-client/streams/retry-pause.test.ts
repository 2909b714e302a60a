import { expect, test } from 'vitest'
import { retryPause } from './retry-pause.ts'

test('a server decides about the pause, but not that there is none, or that it never ends', () => {
  expect([0, 1, 2_500, Number.MAX_SAFE_INTEGER].map(retryPause)).toEqual([100, 100, 2_500, 3_600_000])
})
