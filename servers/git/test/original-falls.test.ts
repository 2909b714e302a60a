/** The same corpus against the original, so that the tricks are known to work. */
import { existsSync } from 'node:fs'
import { connect } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { pythonServer, requires } from '../../../scripts/requires.ts'
import { callAll, calls, environmentOf, plant, tricks } from './corpus.ts'

describe('the original falls for', requires('python-servers'), () => {
  test.each([...tricks].filter(([, { originalFalls }]) => originalFalls))(
    '%s',
    async (_name, trick) => {
      const place = plant(trick)
      await using client = await connect({
        command: pythonServer('git'),
        args: ['--repository', place.folder],
        env: environmentOf(trick, place),
      })
      await callAll(client, place, [...calls, ...(trick.calls ?? [])])
      expect(existsSync(place.marker)).toBe(true)
    },
    60_000,
  )
})
