import { connect } from '@tenon/sdk/client'
import { createEverythingServer } from '@tenon/server-everything'
import { expect, test } from 'vitest'
import { memorySink, readSession, recorder, replayServer } from '../src/replay.ts'

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a task of %s is followed to its end in the recording too',
  async (revision) => {
    const sink = memorySink()
    const recording = recorder(sink)
    const options = {
      revisions: [revision],
      tasks: true,
      elicit: () => ({ action: 'accept' as const, content: { spicy: 'hot' } }),
    }
    const cook = async (client: Awaited<ReturnType<typeof connect>>) => {
      const statuses: string[] = []
      const { text } = await client.callTool(
        'cook_dinner',
        { minutesMs: 20 },
        { task: { onStatus: ({ status }) => statuses.push(status) } },
      )
      return { text, statuses: new Set(statuses) }
    }
    const first = await connect(createEverythingServer(), { ...options, onMessage: recording.onMessage })
    await first.listTools()
    const cooked = await cook(first)
    await first.close()
    await recording.close()
    expect(cooked.text).toBe('Served: starter, hot main course, dessert')
    const replay = replayServer(await readSession(sink.text))
    await using client = await connect(replay, options)
    await client.listTools()
    expect(await cook(client)).toEqual(cooked)
    expect(replay.report.otherAnswers).toEqual([])
  },
)
