/** Every tool, on a site of this machine. */
import { type Client, revisions } from '@tenon/sdk/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { type Site, startSite } from '../../fetch/test/site.ts'
import { browserServer, call, clientOf, failing, refOf } from './helpers.ts'

const form = `<title>Form</title>
<script>console.log('hello', 1); console.warn('careful')</script>
<h1>Order</h1>
<label>Name <input id="name" value="old"></label>
<label>Drink <select id="drink"><option value="t">Tea</option><option value="c">Coffee</option></select></label>
<button id="send" onclick="send()">Send</button>
<button onclick="setTimeout(() => later.hidden = false, 50)">Later</button><p id="later" hidden>It is later</p>
<a href="/next" onmouseover="document.title = 'Hovered'">Next</a>
<a href="/next" target="_blank">Window</a>
<iframe srcdoc="<button onclick='this.textContent = 1'>Inside</button>"></iframe>
<p id="result"></p>
<script>
  const field = document.querySelector('#name')
  const send = () => { result.textContent = field.value + ' drinks ' + drink.value }
</script>`

describe('a browser', requires('chromium'), () => {
  let made: ReturnType<typeof browserServer>
  let site: Site
  beforeAll(async () => {
    made = browserServer({ allowEvaluate: true, actionTimeout: 3_000 })
    site = await startSite({
      '/': form,
      '/next': '<title>Next</title><p>Next page</p>',
      '/long': `<title>Long</title>${'<p>One line of a long page</p>'.repeat(500)}`,
      '/busy': '<title>Busy</title><button onclick="for (;;);">Hang</button>',
      '/alert': '<title>Alert</title><script>document.title = String(confirm("Sure?"))</script>',
    })
    return () => site[Symbol.asyncDispose]()
  })
  const open = async (path = '/'): Promise<Client> => {
    const client = await clientOf(made)
    await call(client, 'puppeteer_navigate', { url: `${site.origin}${path}` })
    return client
  }

  test.each(revisions)('opens a page in %s', async (revision) => {
    const client = await clientOf(made, revision)
    const { text, structured } = await call(client, 'puppeteer_navigate', { url: `${site.origin}/` })
    expect(text).toBe(`Navigated to ${site.origin}/`)
    // Older revisions have no structured content.
    if (structured) expect(structured).toMatchObject({ url: `${site.origin}/`, title: 'Form', status: 200, tab: 1 })
    // The page is there in the next call, in revisions without sessions too.
    expect((await call(client, 'browser_snapshot')).text).toContain('heading "Order"')
    await call(client, 'browser_close')
  })

  test('fills, selects, clicks, hovers and presses by selector', async () => {
    const client = await open()
    expect((await call(client, 'puppeteer_fill', { selector: '#name', value: 'Ada' })).text).toBe(
      'Filled #name with: Ada',
    )
    expect((await call(client, 'puppeteer_select', { selector: '#drink', value: 'c' })).text).toBe(
      'Selected #drink with: c',
    )
    expect((await call(client, 'puppeteer_click', { selector: '#send' })).text).toBe('Clicked: #send')
    expect((await call(client, 'browser_snapshot')).text).toContain('Ada drinks c')
    const hovered = await call(client, 'puppeteer_hover', { selector: 'a' })
    expect([hovered.text, hovered.structured.title]).toEqual(['Hovered a', 'Hovered'])
    await call(client, 'puppeteer_fill', { selector: '#name', value: '' })
    await call(client, 'browser_press_key', { selector: '#name', key: 'Shift+B' })
    await call(client, 'browser_press_key', { selector: '#name', key: 'ArrowLeft' })
    const { structured } = await call(client, 'puppeteer_evaluate', { script: 'field.value' })
    expect(structured.result).toBe('"B"')
  })

  test('does the same by the references of a snapshot, in frames too', async () => {
    const client = await open()
    await call(client, 'puppeteer_fill', { ref: await refOf(client, 'textbox "Name"'), value: 'Bob' })
    await call(client, 'puppeteer_select', { ref: await refOf(client, 'combobox'), value: 'Tea' })
    await call(client, 'puppeteer_click', { ref: await refOf(client, 'button "Send"') })
    await call(client, 'puppeteer_click', { ref: await refOf(client, 'button "Inside"') })
    const { text } = await call(client, 'browser_snapshot')
    expect(text).toContain('Bob drinks t')
    expect(text).toMatch(/button "1"/)
    expect(await failing(client, 'puppeteer_click', { ref: 'e99999' })).toContain('browser_snapshot shows')
    expect(await failing(client, 'puppeteer_click')).toContain('either "selector" or "ref"')
    expect(await failing(client, 'puppeteer_click', { selector: '#name', ref: 'e1' })).toContain('either')
  })

  test('a missing element is an error that says how to go on', async () => {
    const client = await open()
    expect(await failing(client, 'puppeteer_hover', { selector: '#missing' })).toMatch(
      /^Failed to hover #missing: Timeout 3000ms exceeded.*browser_snapshot shows the elements/,
    )
    expect(await failing(client, 'puppeteer_click', { selector: '##' })).toContain('Failed to click ##')
    expect(await failing(client, 'puppeteer_screenshot', { name: 'x', selector: '#missing' })).toBe(
      'Element not found: #missing',
    )
  })

  test('screenshots are images, texts and resources', async () => {
    const client = await open()
    const shot = await call(client, 'puppeteer_screenshot', { name: 'a b/é', width: 320, height: 200 })
    expect(shot.content).toMatchObject([
      { type: 'text', text: "Screenshot 'a b/é' taken at 320x200" },
      { type: 'image', mimeType: 'image/png' },
    ])
    const { data } = shot.content[1] as { data: string }
    expect(sizeOf(data)).toEqual([320, 200])
    const { uri } = shot.structured as unknown as { uri: string }
    expect((await client.readResource(uri)).contents).toMatchObject([{ uri, mimeType: 'image/png', blob: data }])
    expect((await client.listResources()).resources.map((one) => one.uri)).toContain(uri)
    const ref = { type: 'ref/resource', uri: 'screenshot://{name}{?session}' } as const
    expect((await client.complete(ref, { name: 'name', value: 'a' })).values).toEqual(['a b/é'])
    const button = await call(client, 'puppeteer_screenshot', { name: 'b', selector: '#send', encoded: true })
    expect(button.content[1]).toMatchObject({ type: 'text', text: expect.stringMatching(/^data:image\/png;base64,/) })
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/long` })
    const whole = await call(client, 'puppeteer_screenshot', { name: 'long', fullPage: true })
    expect(sizeOf((whole.content[1] as { data: string }).data)[1]).toBeGreaterThan(2_000)
  })

  test('prints a PDF, which is a resource', async () => {
    const client = await open()
    const { text, structured, content } = await call(client, 'browser_pdf', { name: 'form', landscape: true })
    expect(text).toContain('pdf://form')
    expect(content[1]).toMatchObject({ type: 'resource_link', uri: 'pdf://form', mimeType: 'application/pdf' })
    const { contents } = await client.readResource('pdf://form')
    const data = Buffer.from((contents[0] as { blob: string }).blob, 'base64')
    expect([data.subarray(0, 5).toString(), data.length]).toEqual(['%PDF-', structured.bytes])
  })

  test('runs scripts, with their console', async () => {
    const client = await open()
    const { text } = await call(client, 'puppeteer_evaluate', { script: 'console.error("a", 1); ({ b: [2] })' })
    expect(text).toBe('Execution result:\n{\n  "b": [\n    2\n  ]\n}\n\nConsole output:\n[error] a 1')
    expect(await failing(client, 'puppeteer_evaluate', { script: 'nothing.here' })).toMatch(
      /^Script execution failed: ReferenceError: nothing is not defined/,
    )
  })

  test('waits for elements, texts, addresses and loads', async () => {
    const client = await open()
    await call(client, 'puppeteer_click', { selector: 'text=Later' })
    await call(client, 'browser_wait', { text: 'It is later' })
    await call(client, 'browser_wait', { selector: '#missing', state: 'detached' })
    await call(client, 'puppeteer_click', { selector: 'text=Next' })
    await call(client, 'browser_wait', { url: '*/next' })
    await call(client, 'browser_wait', { load: 'networkidle' })
    await call(client, 'browser_wait', { seconds: 0.01 })
    expect(await failing(client, 'browser_wait', { text: 'Never', timeout_seconds: 0.1 })).toContain('Timeout 100ms')
    expect(await failing(client, 'browser_wait')).toContain('Expected one of')
    const { structured } = await call(client, 'browser_history', { action: 'back' })
    expect(structured.url).toBe(`${site.origin}/`)
  })

  test('a call that is cancelled ends, and the next one works', async () => {
    const client = await open()
    const controller = new AbortController()
    const onProgress = (): void => controller.abort()
    const waiting = client.callTool('browser_wait', { text: 'Never' }, { signal: controller.signal, onProgress })
    await expect(waiting).rejects.toThrow()
    expect((await call(client, 'browser_snapshot')).structured.title).toBe('Form')
  })

  test('tabs: windows of pages, new ones, selecting and closing', async () => {
    const client = await open()
    await call(client, 'puppeteer_click', { selector: 'text=Window' })
    await expect
      .poll(async () => (await call(client, 'browser_tabs')).structured.tabs)
      .toMatchObject([
        { tab: 1, current: true },
        { tab: 2, title: 'Next' },
      ])
    expect((await call(client, 'browser_tabs', { action: 'select', tab: 2 })).structured).toMatchObject({
      tab: 2,
      title: 'Next',
    })
    await call(client, 'browser_tabs', { action: 'new' })
    const { structured } = await call(client, 'browser_tabs', { action: 'close' })
    expect(structured).toMatchObject({ tab: 2, tabs: [{ tab: 1 }, { tab: 2, current: true }] })
    expect(await failing(client, 'browser_tabs', { action: 'select', tab: 9 })).toBe(
      'There is no tab 9; there are: 1, 2.',
    )
    for (let count = 2; count < 10; count++) await call(client, 'browser_tabs', { action: 'new' })
    expect(await failing(client, 'browser_tabs', { action: 'new' })).toContain('There are 10 tabs already')
    await call(client, 'browser_tabs', { action: 'select', tab: 1 })
    // It is told once: with the answer to the click, or to a later call.
    let told = (await call(client, 'puppeteer_click', { selector: 'text=Window' })).text
    await expect
      .poll(async () => {
        told += (await call(client, 'browser_tabs')).text
        return told
      })
      .toContain('A window that a page opened was closed')
  })

  test('a long snapshot comes in parts', async () => {
    const client = await open('/long')
    const whole = (await call(client, 'browser_snapshot', { max_length: 200_000 })).structured.snapshot as string
    let read = ''
    let next: unknown = 0
    while (next !== undefined) {
      const { structured } = await call(client, 'browser_snapshot', { max_length: 9_000, start_index: next })
      read += structured.snapshot
      next = structured.next_start_index
    }
    expect(read.replace(/ref=\w+/g, '')).toBe(whole.replace(/ref=\w+/g, ''))
  })

  test('console and network are resources that can be watched', async () => {
    const client = await clientOf(made)
    const heard = new Set<string>()
    for (const uri of ['console://logs', 'network://requests'])
      await client.watch(uri, (update) => heard.add(update.uri))
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/` })
    await expect.poll(() => [...heard].sort()).toEqual(['console://logs', 'network://requests'])
    const { contents } = await client.readResource('console://logs')
    expect(contents).toMatchObject([{ mimeType: 'text/plain', text: '[log] hello 1\n[warn] careful' }])
    await expect
      .poll(async () =>
        JSON.parse(((await client.readResource('network://requests')).contents[0] as { text: string }).text),
      )
      .toContainEqual(expect.objectContaining({ url: `${site.origin}/`, status: 200, type: 'document' }))
    expect((await call(client, 'browser_console', { filter: 'care' })).structured.lines).toEqual(['[warn] careful'])
    await call(client, 'puppeteer_evaluate', { script: 'for (let i = 0; i < 3000; i++) console.log("x".repeat(3000))' })
    await expect.poll(async () => (await call(client, 'browser_console', { limit: 1 })).structured.total).toBe(3002)
    const kept = (await client.readResource('console://logs')).contents[0] as { text: string }
    expect(kept.text.length).toBeLessThan(600_000)
  })

  test('dialogs are dismissed and written down', async () => {
    const client = await open('/alert')
    expect((await call(client, 'browser_console')).structured.lines).toContain('[dialog] confirm: Sure? (dismissed)')
    expect((await call(client, 'browser_snapshot')).structured.title).toBe('false')
  })

  test('a page that hangs is closed with its tab', async () => {
    const client = await open('/busy')
    expect(await failing(client, 'puppeteer_evaluate', { script: 'nothing' })).toContain('nothing is not defined')
    await client.callTool('puppeteer_click', { selector: 'button' })
    await call(client, 'browser_tabs', { action: 'close' })
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/next` })
  }, 120_000)

  test('a prompt opens a page to look for its faults', async () => {
    const client = await clientOf(made)
    const { messages } = await client.getPrompt('check_page', { url: 'https://example.com/' })
    expect(JSON.stringify(messages)).toContain('Open https://example.com/ with puppeteer_navigate')
  })
})

/** Width and height of a PNG. */
function sizeOf(base64: string): number[] {
  const data = Buffer.from(base64, 'base64')
  return [data.readUInt32BE(16), data.readUInt32BE(20)]
}
