import { expect, test } from 'vitest'
import { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import { ServerCall } from '../dispatch/server-call.ts'
import { createServer, dispatcherOf } from '../server.ts'
import { callerOf } from '../stateless/request-meta.ts'
import { encodeCursor } from './pagination.ts'
import { tool } from './tool.ts'

const count = 1_000
const tools = Array.from({ length: count }, (_, i) => tool({ name: `tool-${i}`, run: () => '' }))

test('made-up cursors do not fill the memory, and take nothing from the list itself', async () => {
  const dispatcher = dispatcherOf(createServer({ name: 'test', version: '1', tools, pageSize: count }))
  const ask = async (cursor?: string): Promise<JsonObject> => {
    const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: {} }
    const params = { _meta, ...(cursor !== undefined && { cursor }) }
    const request = new IncomingRequest({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }, { send: () => {} })
    return dispatcher.answer(
      new ServerCall(request, callerOf(dispatcher.definition, params, { transport: 'memory' }), {} as never),
    )
  }
  const first = await ask()
  let kept = 0
  for (let index = 0; index < count; index++) {
    const cursor = encodeCursor({ index, key: 'made up' })
    const page = await ask(cursor)
    if (page === (await ask(cursor))) kept += (page.tools as JsonObject[]).length
  }
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(40_000)
  expect(await ask()).toBe(first)
})
