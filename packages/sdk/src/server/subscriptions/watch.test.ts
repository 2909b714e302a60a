import { describe, expect, test } from 'vitest'
import { connect } from '../../client.ts'
import { createServer, resourceTemplate, type Server } from '../../server.ts'

/** A server that notes whose watching begins and ends. */
function watched(): { server: Server; open: string[]; errors: unknown[] } {
  const open: string[] = []
  const errors: unknown[] = []
  const file = resourceTemplate({
    uriTemplate: 'file:///{+path}',
    name: 'file',
    read: ({ variables }) => variables.path,
    watch: ({ uri, variables }) => {
      if (variables.path.startsWith('secret')) return undefined
      open.push(uri)
      return () => {
        open.splice(open.indexOf(uri), 1)
        if (variables.path === 'broken') throw new Error('cannot end')
      }
    },
  })
  const onError = (error: unknown): void => void errors.push(error)
  return { server: createServer({ name: 's', version: '1', resources: [file], onError }), open, errors }
}

describe.each(['2024-11-05', '2025-11-25', '2026-07-28'] as const)('in %s', (revision) => {
  const options = { revisions: [revision] }

  test('watching begins with a subscription and ends with it', async () => {
    const { server, open } = watched()
    await using client = await connect(server, options)
    const seen: string[] = []
    const one = await client.watch('file:///a', ({ uri }) => seen.push(uri))
    await client.watch('file:///b', () => {})
    await expect.poll(() => [...open].sort()).toEqual(['file:///a', 'file:///b'])
    server.resources.changed('file:///a')
    await expect.poll(() => seen).toEqual(['file:///a'])
    await one.close()
    await expect.poll(() => open).toEqual(['file:///b'])
  })

  test('watching ends with the client, and a fault in one end spares the others', async () => {
    const { server, open, errors } = watched()
    const client = await connect(server, options)
    for (const name of ['a', 'broken', 'c']) await client.watch(`file:///${name}`, () => {})
    await expect.poll(() => open).toHaveLength(3)
    await client.close()
    await expect.poll(() => open).toEqual([])
    await expect.poll(() => errors).toContainEqual(new Error('cannot end'))
  })

  test('a resource that refuses to be watched tells nothing', async () => {
    const { server, open } = watched()
    await using client = await connect(server, options)
    await using _allowed = await client.watch('file:///a', () => {})
    const seen: string[] = []
    await client.watch('file:///secret', ({ uri }) => seen.push(uri)).catch(() => {})
    server.resources.changed('file:///secret')
    const told = new Promise<void>((resolve) => void client.watch('file:///last', () => resolve()))
    await expect.poll(() => open).toContain('file:///last')
    server.resources.changed('file:///last')
    await told
    expect(seen).toEqual([])
    expect(open).not.toContain('file:///secret')
  })
})
