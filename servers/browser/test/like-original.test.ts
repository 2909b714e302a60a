/** Ours beside the original, with the Chromium that is installed. */
import { type Client, connect } from '@tenon/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { type Site, startSite } from '../../fetch/test/site.ts'
import { missingIn } from '../../kit/test/like-original.ts'
import { original, ours } from './helpers.ts'

const form = `<title>Form</title><input id="name"><input id="old" value="old"><select id="drink"><option value="t">Tea</option>
<option value="c">Coffee</option></select><button onclick="console.log('clicked')" onmouseover="this.id = 'over'">Go</button>`

describe('the original and ours', requires('chromium'), () => {
  let site: Site
  let theirs: Client
  let mine: Client
  beforeAll(async () => {
    site = await startSite({ '/': form })
    theirs = await connect(original(), { revisions: ['2024-11-05'] })
    mine = await connect(ours('--allow-evaluate'), { revisions: ['2024-11-05'] })
  }, 120_000)
  afterAll(async () => {
    await Promise.all([theirs?.close(), mine?.close()])
    await site[Symbol.asyncDispose]()
  })

  test('ours has every tool, parameter and resource', async () => {
    const offered = (await mine.listTools()).tools
    expect(missingIn(offered, (await theirs.listTools()).tools)).toEqual([])
    const uris = (await mine.listResources()).resources.map(({ uri }) => uri)
    for (const { uri } of (await theirs.listResources()).resources) expect(uris).toContain(uri)
  })

  test('a script of calls has the same answers', async () => {
    const script: [string, object][] = [
      ['puppeteer_navigate', { url: `${site.origin}/` }],
      ['puppeteer_fill', { selector: '#name', value: 'Ada "é"' }],
      ['puppeteer_select', { selector: '#drink', value: 'c' }],
      ['puppeteer_hover', { selector: 'button' }],
      ['puppeteer_click', { selector: '#over' }],
      ['puppeteer_evaluate', { script: '[document.querySelector("#name").value, drink.value]' }],
      ['puppeteer_evaluate', { script: 'console.log("a", 1); console.warn("b"); undefined' }],
      ['puppeteer_screenshot', { name: 'page' }],
      ['puppeteer_screenshot', { name: 'part', selector: '#drink', width: 400, height: 300 }],
      ['puppeteer_screenshot', { name: 'none', selector: '#none' }],
    ]
    for (const [tool, args] of script) {
      const expected = await theirs.callTool(tool, { ...args })
      const { text, isError, content } = await mine.callTool(tool, { ...args })
      expect([tool, text, isError === true]).toEqual([tool, expected.text, expected.isError === true])
      const images = [content, expected.content].map((blocks) =>
        blocks.filter(({ type }) => type === 'image').map(size),
      )
      expect(images[0]).toEqual(images[1])
    }
    const encoded = { name: 'text', encoded: true }
    for (const client of [theirs, mine]) {
      expect((await client.callTool('puppeteer_screenshot', encoded)).text).toMatch(/data:image\/png;base64,iVBOR/)
      const { resources } = await client.listResources()
      expect(resources).toContainEqual(expect.objectContaining({ uri: 'screenshot://page', mimeType: 'image/png' }))
      const [contents] = (await client.readResource('console://logs')).contents as { text: string }[]
      expect(contents!.text).toContain('[log] clicked')
    }
  })

  test('differs where the README says so', async () => {
    for (const client of [theirs, mine]) await client.callTool('puppeteer_navigate', { url: `${site.origin}/` })
    const result = async (client: Client, script: string): Promise<string> =>
      (await client.callTool('puppeteer_evaluate', { script })).text.split('\n')[1]!
    // Text is typed to that of the field, or replaces it.
    for (const client of [theirs, mine]) await client.callTool('puppeteer_fill', { selector: '#old', value: 'new' })
    expect(await result(theirs, 'old.value')).not.toBe('"new"')
    expect(await result(mine, 'old.value')).toBe('"new"')
    // An option that does not exist.
    const missing = { selector: '#drink', value: 'x' }
    expect((await theirs.callTool('puppeteer_select', missing)).isError).toBe(false)
    expect((await mine.callTool('puppeteer_select', missing)).isError).toBe(true)
    // The text of an option.
    await mine.callTool('puppeteer_select', { selector: '#drink', value: 'Coffee' })
    expect(await result(mine, 'drink.value')).toBe('"c"')
    // Both say that an element is missing, in other words.
    for (const client of [theirs, mine]) {
      const { isError, text } = await client.callTool('puppeteer_click', { selector: '#none' })
      expect([isError, text]).toEqual([true, expect.stringMatching(/^Failed to click #none: /)])
    }
  })
})

/** Width and height of a PNG. */
function size(block: object): number[] {
  const data = Buffer.from((block as { data: string }).data, 'base64')
  return [data.readUInt32BE(16), data.readUInt32BE(20)]
}
