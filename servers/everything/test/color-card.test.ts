import { appMimeType } from '@tenon/sdk/apps'
import { appsCapability, appUriOf } from '@tenon/sdk/apps/host'
import { connect } from '@tenon/sdk/client'
import { createEverythingServer } from '@tenon/server-everything'
import { describe, expect, test } from 'vitest'

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)('in revision %s', (revision) => {
  test('a host finds the view of show_color, and reads it', async () => {
    await using host = await connect(createEverythingServer(), {
      revisions: [revision],
      capabilities: appsCapability,
    })
    const tools = await allOf(host.tools())
    const uri = appUriOf(tools.find(({ name }) => name === 'show_color')!)
    expect(uri).toBe('ui://everything/color-card')
    const { contents } = await host.readResource(uri!)
    expect(contents).toMatchObject([{ uri, mimeType: appMimeType, text: expect.stringContaining('ui/initialize') }])
    const { text, structured } = await host.callTool('show_color', { name: 'teal' })
    expect({ text, structured }).toEqual({
      text: 'The user sees teal, #008080',
      structured: { name: 'teal', hex: '#008080' },
    })
  })

  test('a client without views is told in words', async () => {
    await using client = await connect(createEverythingServer(), { revisions: [revision] })
    expect((await client.callTool('show_color', { name: 'gold' })).text).toBe('gold is #ffd700')
  })
})
