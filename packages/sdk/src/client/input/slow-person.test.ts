import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { revisions } from '../../model/revision.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { connect } from '../connect.ts'

const ask = tool({
  name: 'ask',
  run: async (_, ctx) => {
    const { action } = await ctx.elicit('Take your time', { type: 'object', properties: {} })
    return action
  },
})
const server = createServer({ name: 'patient', version: '1.0.0', tools: [ask] })

// The input modules are loaded with the first request, which can take longer than a call may take below.
beforeAll(async () => {
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    await using client = await connect(server, { revisions: [revision], elicit: () => ({ action: 'decline' }) })
    await client.callTool('ask')
  }
})

test.each(revisions.filter((revision) => revision >= '2025-06-18'))(
  'a person who thinks longer than a server may be silent answers all the same, in %s',
  async (revision) => {
    const elicit = async () => {
      await pause(2_500)
      return { action: 'decline' as const }
    }
    await using client = await connect(server, { revisions: [revision], elicit, timeoutMs: 1_000 })
    expect(await client.callTool('ask')).toMatchObject({ text: 'decline' })
  },
)

test('a call ends in the time that it has in all, whoever thinks', async () => {
  const elicit = async () => {
    await pause(1_500)
    return { action: 'decline' as const }
  }
  await using client = await connect(server, { revisions: ['2025-11-25'], elicit, timeoutMs: 200, maxTotalMs: 600 })
  await expect(client.callTool('ask')).rejects.toMatchObject({ code: 'timeout' })
})
