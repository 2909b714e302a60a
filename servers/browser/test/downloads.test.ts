/** Downloads: only to the folder of the operator, under harmless names, and not without end. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { type Site, startSite } from '../../fetch/test/site.ts'
import { safeFileName } from '../src/session/file-name.ts'
import { browserServer, call, clientOf, testFolder } from './helpers.ts'

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..\\..\\x.exe', '_.._x.exe'],
  ['/etc/passwd', '_etc_passwd'],
  ['.bashrc', 'bashrc'],
  ['-rf', 'rf'],
  ['a\u0000b\n\u202Egnp.exe', 'abgnp.exe'],
  ['CON', 'download-CON'],
  ['nul.txt', 'download-nul.txt'],
  ['name. . ', 'name'],
  ['', 'download'],
  ['...', 'download'],
  ['a:b?c*d', 'a_b_c_d'],
  ['%2e%2e%2fx', '_2e_2e_2fx'],
])('the name %j becomes %j', (given, expected) => expect(safeFileName(given)).toBe(expected))

test('a long name keeps its extension', () => {
  const name = safeFileName(`${'é'.repeat(500)}.pdf`)
  expect(name.endsWith('é.pdf')).toBe(true)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(150)
})

describe('downloads', requires('chromium'), () => {
  let site: Site
  let folder: string | undefined
  // The folder is another one in each test.
  const settings = {
    get current() {
      const common = { readOnly: false, confirm: false, allowPrivate: ['127.0.0.1'], noSandbox: true }
      return { ...common, downloads: folder, maxDownload: 200_000 }
    },
    onChange() {},
  }
  let made: ReturnType<typeof browserServer>
  beforeAll(async () => {
    site = await startSite({
      '/': `<title>Files</title><a id="a" href="/file">File</a><a id="b" href="/file" target="_blank">Window</a>
        <a id="c" href="/endless">Endless</a><a id="d" download="../../.x" href="data:text/plain,hello">Data</a>
        <a id="e" href="/large">Large</a>`,
      '/file': (_request, response) =>
        void response.writeHead(200, { 'content-disposition': 'attachment; filename="notes.txt"' }).end('the notes'),
      '/large': (_request, response) =>
        void response
          .writeHead(200, { 'content-disposition': 'attachment', 'content-length': '900000000' })
          .write(Buffer.alloc(100_000)),
      '/endless': (_request, response) => {
        response.writeHead(200, { 'content-disposition': 'attachment; filename=endless' })
        const more = setInterval(() => response.write(Buffer.alloc(50_000)), 5)
        response.on('close', () => clearInterval(more))
      },
    })
    made = browserServer({ settings })
    return () => site[Symbol.asyncDispose]()
  })

  const downloadsOf = async (client: Awaited<ReturnType<typeof clientOf>>): Promise<unknown> =>
    (await call(client, 'browser_downloads')).structured.downloads

  test('go to the folder, also from windows, and never over a file or through a link', async () => {
    const place = testFolder()
    folder = place
    const outside = join(testFolder(), 'outside')
    symlinkSync(outside, join(place, 'notes.txt'))
    const client = await clientOf(made)
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/` })
    for (const selector of ['#a', '#b', '#d']) {
      await call(client, 'puppeteer_click', { selector })
    }
    await expect
      .poll(() => downloadsOf(client))
      .toMatchObject([{ state: 'done' }, { state: 'done' }, { state: 'done' }])
    const names = readdirSync(place).sort()
    expect(names).toEqual(['_.._.x', 'notes (2).txt', 'notes (3).txt', 'notes.txt'])
    expect(readFileSync(join(place, 'notes (2).txt'), 'utf8')).toBe('the notes')
    // Opening the address of a file is a download too, and told with the result.
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/file` })
    await expect.poll(() => readdirSync(place)).toContain('notes (4).txt')
  })

  test('larger than the limit are broken off', async () => {
    folder = testFolder()
    const client = await clientOf(made)
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/` })
    await call(client, 'puppeteer_click', { selector: '#c' })
    await call(client, 'puppeteer_click', { selector: '#e' })
    const failed = { state: 'failed', reason: 'it is larger than 200000 bytes (--max-download)' }
    await expect.poll(() => downloadsOf(client)).toMatchObject([failed, failed])
    expect(readdirSync(folder)).toEqual([])
    await call(client, 'browser_close')
  })

  test('are refused without a folder', async () => {
    folder = undefined
    const client = await clientOf(made)
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/` })
    let told = (await call(client, 'puppeteer_click', { selector: '#a' })).text
    await expect
      .poll(async () => (told += (await call(client, 'browser_tabs')).text))
      .toContain('notes.txt was refused')
  })

  test('a folder that cannot be written is told', async () => {
    folder = join(testFolder(), 'file')
    writeFileSync(folder, '')
    const client = await clientOf(made)
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/` })
    await call(client, 'puppeteer_click', { selector: '#a' })
    await expect
      .poll(() => downloadsOf(client))
      .toMatchObject([{ state: 'failed', reason: expect.stringContaining('saved') }])
  })
})
