import { connect } from '@tenon/sdk/client'
import { createEverythingServer } from '@tenon/server-everything'
import { expect, test } from 'vitest'

test.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)(
  'dinner is cooked in %s, as a task where there are tasks',
  async (revision) => {
    const asked: string[] = []
    const statuses: string[] = []
    await using client = await connect(createEverythingServer(), {
      revisions: [revision],
      elicit: ({ message }) => {
        asked.push(message)
        return { action: 'accept', content: { spicy: 'hot' } }
      },
    })
    const task = { onStatus: ({ status }: { status: string }) => void statuses.push(status) }
    const { text } = await client.callTool('cook_dinner', { minutesMs: 5 }, { task })
    expect(text).toBe('Served: starter, hot main course, dessert')
    expect(asked).toEqual(['How spicy?'])
    expect(statuses.at(-1)).toBe(revision === '2025-06-18' ? undefined : 'completed')
  },
)
