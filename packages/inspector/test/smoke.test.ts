import { expect, test } from 'vitest'
import { everything, TestBench } from './workbench-in-test.suite.ts'

test('a server of the command line is connected at once, and its tools are listed', async () => {
  await using bench = await TestBench.open({ servers: [everything] })
  const tools = await bench.until((event) => {
    if (event.type === 'catalog' && event.catalog.kind === 'tools' && !event.catalog.loading) return event.catalog.items
    if (event.type !== 'snapshot') return undefined
    const [catalogs] = Object.values(event.snapshot.catalogs)
    return catalogs?.tools && !catalogs.tools.loading ? catalogs.tools.items : undefined
  })
  expect(tools.map(({ name }) => name)).toContain('add')
  const page = await bench.run('timeline.query', { query: 'method:tools/list kind:request', offset: 0, count: 10 })
  expect(page.rows[0]).toMatchObject({ method: 'tools/list', status: 'ok', from: 'client' })
})
