import { connect, revisions } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createEverythingServer } from '@tenon/server-everything'
import { describe, expect, test } from 'vitest'
import { deferred } from './helpers.ts'

describe.each(revisions)('in revision %s over HTTP', (revision) => {
  test('who watches the board hears when another client writes, and of lists that change', async () => {
    await using http = await serveHttp(createEverythingServer())
    const stream = deferred<void>()
    const onStream = ({ kind }: { kind: string }): void => {
      if (kind === 'open') stream.resolve()
    }
    // HTTP+SSE and 2026-07-28 have no stream of this kind to wait for.
    if (revision === '2026-07-28') stream.resolve()
    await using reader = await connect(http.url, { revisions: [revision], onStream })
    await using writer = await connect(http.url, { revisions: [revision] })
    await stream.promise
    const [written, listed] = [deferred<string>(), deferred<void>()]
    reader.onChange('tools', () => listed.resolve())
    await using _watch = await reader.watch('board:///today', ({ uri }) => written.resolve(uri))
    await writer.callTool('write_on_board', { text: 'Tenon' })
    expect(await written.promise).toBe('board:///today')
    expect((await reader.readResource('board:///today')).contents).toMatchObject([{ text: 'Tenon' }])
    await writer.callTool('toggle_extras', { enabled: true })
    await listed.promise
  })
})
