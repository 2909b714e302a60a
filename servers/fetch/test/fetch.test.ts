/** Every tool and the prompt, against a site on this machine. */

import { connect } from '@tenon/sdk/client'
import { revisions } from '@tenon/sdk/server'
import { createFetchServer } from '@tenon/server-fetch'
import { describe, expect, test } from 'vitest'
import { open } from './open.ts'
import { startSite } from './site.ts'

const paragraph = '<p>Rivers carry water from the mountains to the sea, and everything that people throw into them.</p>'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const article = `<!doctype html><html lang="en"><head><title>Rivers</title>
<meta name="description" content="About rivers"><meta property="og:site_name" content="Waters"><meta name="__proto__" content="x"><meta name="constructor" content="x">
<link rel="canonical" href="/rivers"><link rel="alternate" type="application/rss+xml" title="News" href="feed.xml"></head>
<body><nav><a href="/menu">Menu</a></nav><article><h1>Rivers of the world</h1>${paragraph.repeat(6)}
<h2>Length</h2><table><caption>Longest</caption><tr><th>River</th><th>km</th></tr><tr><td>Nile</td><td>6650</td></tr><tr><td>A|B</td><td>1</td></tr></table>
${paragraph.repeat(6)}<p>See <a href="sources#top">the sources</a>, <a href="javascript:alert(1)">this</a> and <a href="/menu">again</a>.</p>
<pre><code>let river = 1</code></pre><img src="nile.png" alt="The Nile"><img src="data:image/png;base64,AAAA" alt="inline"><img src="missing.png"></article></body></html>`

const site = () =>
  startSite({
    '/a/rivers': article,
    '/a/nile.png': (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(png),
    '/data.json': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
    '/file.pdf': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.from('%PDF-1.4\n\0\0')),
  })

test('in every revision, a page is Markdown without its menu', async () => {
  await using web = await site()
  for (const revision of revisions) {
    await using client = await connect(createFetchServer({ allowPrivate: ['127.0.0.1'], readTimeout: 60_000 }), {
      revisions: [revision],
    })
    const { text } = await client.callTool('fetch', { url: `${web.origin}/a/rivers` })
    expect(text).toContain(`Contents of ${web.origin}/a/rivers:\n`)
    expect(text).toContain('## Length')
    expect(text).toContain('| River | km |\n| --- | --- |\n| Nile | 6650 |\n| A\\|B | 1 |')
    expect(text).toContain(`[the sources](${web.origin}/a/sources#top)`)
    expect(text).toContain('```\nlet river = 1\n```')
    expect(text).not.toContain('javascript:')
  }
})

test('annotations are complete and true, and every tool has a title and a schema of its output', async () => {
  await using client = await open()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'fetch',
    'fetch_links',
    'fetch_metadata',
    'fetch_tables',
    'fetch_images',
    'find_in_page',
  ])
  for (const { title, outputSchema, annotations } of tools) {
    expect({ title, outputSchema }).toEqual({ title: expect.any(String), outputSchema: expect.any(Object) })
    expect(annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    })
  }
})

describe('fetch', () => {
  test('goes on where it stopped, from one download', async () => {
    await using web = await site()
    await using client = await open()
    const url = `${web.origin}/a/rivers`
    const parts: string[] = []
    let next: number | undefined = 0
    while (next !== undefined) {
      const { structured, text } = await client.callTool('fetch', { url, max_length: 300, start_index: next })
      const part = structured as { content: string; next_start_index?: number }
      parts.push(part.content)
      next = part.next_start_index
      if (next !== undefined) {
        expect(text).toContain(
          `<error>Content truncated. Call the fetch tool with a start_index of ${next} to get more content.</error>`,
        )
      }
    }
    const whole = (await client.callTool('fetch', { url, max_length: 100_000 })).structured as { content: string }
    expect(parts.join('')).toBe(whole.content)
    expect(parts.length).toBeGreaterThan(3)
    // One for all parts, one for the whole: the site says nothing about keeping it.
    expect(web.paths()).toEqual(['/a/rivers', '/a/rivers'])
    const past = await client.callTool('fetch', { url, start_index: 999_999 })
    expect(past.text).toBe(`Contents of ${url}:\n<error>No more content available.</error>`)
  })

  test('raw, and documents that are no HTML, are as they are', async () => {
    await using web = await site()
    await using client = await open()
    const raw = await client.callTool('fetch', { url: `${web.origin}/a/rivers`, raw: true, max_length: 50 })
    expect(raw.text).toContain('here is the raw content:\nContents of')
    expect(raw.structured).toMatchObject({ content: article.slice(0, 50) })
    expect((await client.callTool('fetch', { url: `${web.origin}/data.json` })).text).toBe(
      `Content type application/json cannot be simplified to markdown, but here is the raw content:\nContents of ${web.origin}/data.json:\n{"a":1}`,
    )
  })

  test('an image is an image, and other bytes are an error', async () => {
    await using web = await site()
    await using client = await open()
    const { content } = await client.callTool('fetch', { url: `${web.origin}/a/nile.png` })
    expect(content[1]).toEqual({ type: 'image', mimeType: 'image/png', data: png.toString('base64') })
    expect(await client.callTool('fetch', { url: `${web.origin}/file.pdf` })).toMatchObject({
      isError: true,
      text: `${web.origin}/file.pdf is no text: application/pdf, 11 bytes.`,
    })
  })

  test('a status that is no success is an error', async () => {
    await using web = await site()
    await using client = await open()
    expect(await client.callTool('fetch', { url: `${web.origin}/gone` })).toMatchObject({
      isError: true,
      text: `Failed to fetch ${web.origin}/gone - status code 404`,
    })
  })

  test('characters stay whole at the ends of parts', async () => {
    await using web = await startSite({ '/': '<p>😀😀😀</p>' })
    await using client = await open()
    const part = (start_index: number) =>
      client.callTool('fetch', { url: `${web.origin}/`, max_length: 1, start_index })
    expect((await part(0)).structured).toMatchObject({ content: '😀', next_start_index: 2 })
    expect((await part(2)).structured).toMatchObject({ content: '😀', next_start_index: 4 })
  })
})

test.each([
  ['header', 'text/html; charset=iso-8859-1', Buffer.from('<p>caf\xe9</p>', 'latin1')],
  ['meta', 'text/html', Buffer.from('<meta charset=windows-1252><p>caf\xe9</p>', 'latin1')],
  [
    'http-equiv',
    'text/html',
    Buffer.from('<meta http-equiv="content-type" content="text/html; charset=latin1"><p>caf\xe9</p>', 'latin1'),
  ],
  ['BOM before header', 'text/html; charset=latin1', Buffer.from('\uFEFF<p>café</p>')],
  ['UTF-16 with BOM', 'text/html', Buffer.from('\uFEFF<p>café</p>', 'utf16le')],
  ['none, UTF-8', 'text/html', Buffer.from('<p>café</p>')],
  ['none, not UTF-8', 'text/html', Buffer.from('<p>caf\xe9</p>', 'latin1')],
  ['unknown', 'text/html; charset=nonsense', Buffer.from('<p>café</p>')],
  [
    'Shift_JIS',
    'text/html; charset=Shift_JIS',
    Buffer.concat([Buffer.from('<p>café '), Buffer.from([0x93, 0xfa]), Buffer.from('</p>')]),
  ],
])('charset: %s', async (name, contentType, body) => {
  await using web = await startSite({
    '/': (_request, response) => void response.writeHead(200, { 'content-type': contentType }).end(body),
  })
  await using client = await open()
  const { content } = (await client.callTool('fetch', { url: `${web.origin}/` })).structured as { content: string }
  expect(name === 'Shift_JIS' ? content.endsWith('日') : content === 'café').toBe(true)
})

describe('the cache', () => {
  const counted = (headers: { [name: string]: string }) => {
    let version = 0
    return startSite({
      '/': (request, response) => {
        if (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag) {
          return void response.writeHead(304, headers).end()
        }
        response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(`<p>version ${++version}</p>`)
      },
    })
  }
  const twice = async (headers: { [name: string]: string }) => {
    await using web = await counted(headers)
    await using client = await open()
    const first = await client.callTool('fetch', { url: `${web.origin}/` })
    const second = await client.callTool('fetch', { url: `${web.origin}/#part` })
    expect(first.structured).toMatchObject({ content: 'version 1', from_cache: false })
    return { ...(second.structured as { content: string; from_cache: boolean }), requests: web.paths().length }
  }

  test('keeps a page as long as the site says', async () => {
    expect(await twice({ 'cache-control': 'max-age=60' })).toMatchObject({
      content: 'version 1',
      from_cache: true,
      requests: 1,
    })
    const [date, expires] = [0, 60_000].map((ms) => new Date(Date.now() + ms).toUTCString()) as [string, string]
    expect(await twice({ date, expires })).toMatchObject({ content: 'version 1', requests: 1 })
  })

  test('asks whether a page is still current', async () => {
    expect(await twice({ etag: '"1"' })).toMatchObject({ content: 'version 1', from_cache: true, requests: 2 })
    expect(await twice({ etag: '"1"', 'cache-control': 'no-cache, max-age=60' })).toMatchObject({
      requests: 2,
      from_cache: true,
    })
  })

  test('keeps nothing that it may not keep', async () => {
    for (const headers of [
      {},
      { 'cache-control': 'no-store, max-age=60' },
      { 'cache-control': 'max-age=0' },
      { vary: '*', 'cache-control': 'max-age=60' },
    ]) {
      expect(await twice(headers)).toMatchObject({ content: 'version 2', from_cache: false, requests: 2 })
    }
  })
})

test('fetch_links', async () => {
  await using web = await site()
  await using client = await open()
  const url = `${web.origin}/a/rivers`
  const { structured } = await client.callTool('fetch_links', { url })
  expect(structured).toEqual({
    url,
    title: 'Rivers',
    incomplete: false,
    links: [
      { url: `${web.origin}/menu`, text: 'Menu' },
      { url: `${web.origin}/a/sources#top`, text: 'the sources' },
    ],
    total: 2,
  })
  expect((await client.callTool('fetch_links', { url, max_links: 1 })).text).toContain('start_index of 1')
  expect((await client.callTool('fetch_links', { url, filter: 'SOURCES' })).structured).toMatchObject({ total: 1 })
})

test('fetch_metadata', async () => {
  await using web = await site()
  await using client = await open()
  const { structured, text } = await client.callTool('fetch_metadata', { url: `${web.origin}/a/rivers` })
  expect(structured).toMatchObject({
    title: 'Rivers',
    description: 'About rivers',
    language: 'en',
    site_name: 'Waters',
    canonical: `${web.origin}/rivers`,
    feeds: [{ url: `${web.origin}/a/feed.xml`, title: 'News' }],
    headings: [
      { level: 1, text: 'Rivers of the world' },
      { level: 2, text: 'Length' },
    ],
  })
  expect(Object.keys((structured as { meta: object }).meta)).toEqual(['description', 'og:site_name'])
  expect(text).toContain('- description: About rivers')
  expect((await client.callTool('fetch_metadata', { url: `${web.origin}/data.json` })).structured).toMatchObject({
    bytes: 7,
  })
})

test('fetch_tables', async () => {
  await using web = await site()
  await using client = await open()
  const { structured } = await client.callTool('fetch_tables', { url: `${web.origin}/a/rivers` })
  expect(structured).toMatchObject({
    tables: [
      {
        caption: 'Longest',
        header: ['River', 'km'],
        rows: [
          ['Nile', '6650'],
          ['A|B', '1'],
        ],
        truncated: false,
      },
    ],
  })
  const cut = await client.callTool('fetch_tables', { url: `${web.origin}/a/rivers`, max_rows: 1 })
  expect(cut.structured).toMatchObject({ tables: [{ rows: [['Nile', '6650']], truncated: true }] })
  expect(await client.callTool('fetch_tables', { url: `${web.origin}/data.json` })).toMatchObject({
    isError: true,
    text: expect.stringContaining('expected an HTML page'),
  })
})

test('fetch_images', async () => {
  await using web = await site()
  await using client = await open()
  const { structured, content } = await client.callTool('fetch_images', { url: `${web.origin}/a/rivers` })
  expect(structured).toMatchObject({
    images: [
      { url: `${web.origin}/a/nile.png`, alt: 'The Nile', mime_type: 'image/png', bytes: png.length },
      { url: `${web.origin}/a/missing.png`, problem: expect.stringContaining('404') },
    ],
    total: 2,
  })
  expect(content.filter(({ type }) => type === 'image')).toHaveLength(1)
})

test('find_in_page', async () => {
  await using web = await site()
  await using client = await open()
  const url = `${web.origin}/a/rivers`
  const { structured } = await client.callTool('find_in_page', { url, query: 'nile', context: 10 })
  const { matches, total } = structured as { matches: { index: number; excerpt: string }[]; total: number }
  expect(total).toBe(3)
  const at = await client.callTool('fetch', { url, start_index: matches[0]!.index, max_length: 4 })
  expect(at.structured).toMatchObject({ content: 'Nile' })
  for (const query of ['(.*', '[a-', '\\', 'A\\|B']) {
    expect(await client.callTool('find_in_page', { url, query })).not.toMatchObject({ isError: true })
  }
})

test('the prompt has the page, or the reason why not', async () => {
  await using web = await site()
  await using client = await open()
  const get = async (url: string) => JSON.stringify((await client.getPrompt('fetch', { url })).messages)
  expect(await get(`${web.origin}/a/rivers`)).toContain('Rivers carry water')
  expect(await get('http://10.0.0.1/')).toContain('not a public address')
})
