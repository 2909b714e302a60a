import { expect, expectTypeOf, test } from 'vitest'
import type { Meta } from '../../model/meta.ts'
import { connect } from '../connect.ts'
import { legacyServer, modernServer } from '../scripted-server.suite.ts'

const answer = { content: [], structuredContent: { sum: 3 }, _meta: { took: 5 } }

for (const server of [
  () => legacyServer({ 'tools/call': answer }),
  () => modernServer({ 'tools/call': { ...answer, resultType: 'complete' } }),
]) {
  test('a result has the names of the specification and the short ones, with the same values', async () => {
    await using client = await connect(server().open)
    const result = await client.callTool<{ sum: number }>('add', { a: 1, b: 2 })
    expect(result.structuredContent).toEqual({ sum: 3 })
    expect(result.structuredContent).toBe(result.structured)
    expect(result._meta).toEqual({ took: 5 })
    expect(result._meta).toBe(result.meta)
    expectTypeOf(result.structuredContent).toEqualTypeOf<{ sum: number } | undefined>()
    expectTypeOf(result._meta).toEqualTypeOf<Meta | undefined>()
  })
}
