import { expect, test, vi } from 'vitest'

/** A module that was never used in this process. */
async function fresh() {
  vi.resetModules()
  return import('./bridge.ts')
}

const named = (pattern: string) => ({ type: 'object', properties: { name: { type: 'string', pattern } } })

test('patterns are loaded with the first value, for all who wait, and then answer at once', async () => {
  const { toSchema } = await fresh()
  const schema = toSchema(named('^(a+)+$'), 'input', 'test')
  const waiting = [schema.parse({ name: 'aaa' }), schema.parse({ name: 'b' })]
  expect(waiting[0]).toBeInstanceOf(Promise)
  expect(await Promise.all(waiting)).toMatchObject([{ ok: true }, { ok: false }])
  expect(schema.parse({ name: 'aaa' })).toMatchObject({ ok: true })
  expect(toSchema(named('^b$'), 'input', 'test').parse({ name: 'b' })).toMatchObject({ ok: true })
})

test('a schema without patterns never waits', async () => {
  const { toSchema } = await fresh()
  const schema = toSchema({ type: 'object', required: ['name'] }, 'input', 'test')
  expect(schema.parse({})).toMatchObject({ ok: false })
})

test('a pattern that is no pattern is refused where it is defined', async () => {
  const { toSchema } = await fresh()
  expect(() => toSchema(named('('), 'input', 'test')).toThrow(/test: .*pattern/)
  expect(() => toSchema(named('a'.repeat(10_001)), 'input', 'test')).toThrow(/too much/)
})

test('a pattern that is too large to be matched is refused with every value', async () => {
  const { toSchema } = await fresh()
  const schema = toSchema(named('(a{1000}){1000}(b|bb)+'), 'input', 'test')
  for (const _ of [1, 2]) {
    await expect(schema.parse({ name: 'a' })).rejects.toMatchObject({ code: 'invalid_definition' })
  }
})
