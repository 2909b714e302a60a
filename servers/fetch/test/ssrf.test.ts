/** Ways into private networks: each of them is refused before anything is sent. */

import { isPublicAddress } from '@tenon/server-kit/network'
import { describe, expect, test } from 'vitest'
import { open } from './open.ts'
import { redirect, startSite } from './site.ts'

const page = '<title>Internal</title><p>secret of the internal site</p>'

describe('addresses', () => {
  test.each([
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.1',
      '100.100.100.200',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
    ],
    ...[
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.0.192',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
    ],
    ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...[
      '::',
      '::1',
      '::7f00:1',
      '::127.0.0.1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:10.0.0.1',
      '::ffff:0:127.0.0.1',
    ],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b::127.0.0.1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b::',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2002:808:808::1',
    ],
    ...[
      '2001::1',
      '2001:db8::1',
      '3fff::1',
      '100::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
    ],
    ...['', 'localhost', '127.1', '1.2.3', '1.2.3.4.5', ':::', '8.8.8.8 '],
  ])('%j is not public', (address) => expect(isPublicAddress(address)).toBe(false))

  test.each([
    ...[
      '8.8.8.8',
      '1.1.1.1',
      '93.184.216.34',
      '172.15.255.255',
      '172.32.0.1',
      '100.63.255.255',
      '100.128.0.1',
      '192.0.1.1',
    ],
    ...[
      '2606:2800:220:1:248:1893:25c8:1946',
      '2a00:1450:4001::1',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
      '[2606:4700::1111]',
    ],
  ])('%j is public', (address) => expect(isPublicAddress(address)).toBe(true))
})

describe('spellings of loopback in a URL', () => {
  test.each([
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '0',
      '127.0.0.1.',
    ],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:0:0:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ],
    ...[
      '１２７.０.０.１',
      '127。0。0。1',
      '①②⑦.0.0.1',
      'localhost',
      'LOCALHOST',
      'localhost.',
      '%6cocalhost',
      '169.254.169.254',
    ],
  ])('%s', async (host) => {
    await using site = await startSite({ '/': page })
    await using client = await open({ allowPrivate: [] })
    const result = await client.callTool('fetch', { url: `http://${host}:${site.port}/` })
    expect(result).toMatchObject({ isError: true })
    expect(result.text).toMatch(/not a public address|not found/)
    expect(site.requests).toEqual([])
  })
})

test.each([
  'file:///etc/passwd',
  'ftp://example.com/',
  'data:text/html,x',
  'javascript:1',
  'gopher://127.0.0.1:6379/_x',
  'http://',
  'no url',
])('only http and https: %s', async (url) => {
  await using client = await open({ allowPrivateIps: true })
  const result = await client.callTool('fetch', { url })
  expect(result).toMatchObject({ isError: true })
  expect(result.text).toMatch(/expected (a URL such as|an http or https URL)/)
})

test.each([22, 25, 6379, 11211, 5432])('a port of another protocol: %i', async (port) => {
  await using client = await open({ allowPrivateIps: true })
  expect((await client.callTool('fetch', { url: `http://127.0.0.1:${port}/` })).text).toContain(
    `expected a port that web servers use, got ${port}`,
  )
})

test('user name and password are not sent', async () => {
  await using client = await open()
  const result = await client.callTool('fetch', { url: 'http://ada:secret@127.0.0.1/' })
  expect(result).toMatchObject({ isError: true, text: expect.stringContaining('without user name and password') })
  expect(result.text).not.toContain('secret@')
})

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i to a private address is refused', async (status) => {
    await using internal = await startSite({ '/': page }, '127.0.0.2')
    await using site = await startSite({ '/': redirect(`${internal.origin}/`, status) })
    await using client = await open()
    const result = await client.callTool('fetch', { url: `${site.origin}/` })
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('127.0.0.2, which is not a public') })
    expect(internal.requests).toEqual([])
  })

  test.each(['file:///etc/passwd', 'gopher://127.0.0.1/', '//user:pass@127.0.0.1/'])('to %s', async (location) => {
    await using site = await startSite({ '/': redirect(location) })
    await using client = await open()
    expect(await client.callTool('fetch', { url: `${site.origin}/` })).toMatchObject({ isError: true })
  })

  test('robots.txt that redirects to a private address', async () => {
    await using internal = await startSite({ '/': page }, '127.0.0.2')
    await using site = await startSite({ '/': page, '/robots.txt': redirect(`${internal.origin}/`) })
    await using client = await open()
    expect(await client.callTool('fetch', { url: `${site.origin}/` })).toMatchObject({ isError: true })
    expect(internal.requests).toEqual([])
  })

  test('are followed to allowed places, and not for ever', async () => {
    await using site = await startSite({
      '/': redirect('/b'),
      '/b': redirect('/c', 308),
      '/c': page,
      '/loop': redirect('/loop'),
    })
    await using client = await open()
    expect((await client.callTool('fetch', { url: `${site.origin}/` })).structured).toMatchObject({
      url: `${site.origin}/c`,
    })
    expect((await client.callTool('fetch', { url: `${site.origin}/loop` })).text).toContain('more than 5 redirects')
  })

  test('images of a page are checked like the page', async () => {
    await using internal = await startSite({ '/i.png': page }, '127.0.0.2')
    await using site = await startSite({ '/': `<img src="${internal.origin}/i.png" alt="x">` })
    await using client = await open()
    const { structured } = await client.callTool('fetch_images', { url: `${site.origin}/` })
    expect(structured).toMatchObject({ images: [{ problem: expect.stringContaining('not a public address') }] })
    expect(internal.requests).toEqual([])
  })
})

describe('names', () => {
  const at = (...addresses: string[]) =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

  test.each([
    ['a private address', ['10.0.0.7']],
    ['a private address behind a public one', ['93.184.216.34', '127.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a link-local address with a zone', ['fe80::1%lo']],
    ['nothing that is an address', ['localhost']],
  ])('with %s are refused', async (_what, addresses) => {
    await using client = await open({ allowPrivate: [], resolve: async () => at(...addresses) })
    expect(await client.callTool('fetch', { url: 'http://site.test/' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('not a public address'),
    })
  })

  test('are resolved once per request: a second answer of the name server is not asked for', async () => {
    await using site = await startSite({ '/': '<p>the site that was checked</p>' })
    await using trap = await startSite({ '/': page }, '127.0.0.2', site.port)
    let asked = 0
    const resolve = async () => at(asked++ === 0 ? '127.0.0.1' : '127.0.0.2')
    await using client = await open({ resolve, ignoreRobotsTxt: true })
    const { text } = await client.callTool('fetch', { url: `http://rebind.test:${site.port}/` })
    expect(text).toContain('the site that was checked')
    expect({ asked, trapped: trap.requests }).toEqual({ asked: 1, trapped: [] })
  })

  test('are checked again for every request: robots.txt, page and redirect', async () => {
    await using trap = await startSite({ '/next': page }, '127.0.0.2')
    await using site = await startSite({ '/': redirect('/next'), '/next': page }, '127.0.0.1', trap.port)
    for (const turn of [1, 2, 3]) {
      let asked = 0
      const resolve = async () => at(asked++ < turn ? '127.0.0.1' : '127.0.0.2')
      await using client = await open({ resolve })
      const result = await client.callTool('fetch', { url: `http://rebind.test:${site.port}/` })
      // The third answer is for the redirect; robots.txt of the host is known by then.
      expect([turn, result.isError === true]).toEqual([turn, turn < 3])
      expect(trap.requests).toEqual([])
    }
  })

  test('that do not exist say so', async () => {
    await using client = await open({
      resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
    })
    expect((await client.callTool('fetch', { url: 'http://nowhere.test/' })).text).toContain(
      'the host nowhere.test was not found (ENOTFOUND)',
    )
  })
})

describe('what is allowed', () => {
  test.each([
    [['127.0.0.1']],
    [['127.0.0.0/8']],
    [['site.test']],
    [['*.test']],
    [['*.site.test']],
    [['::ffff:127.0.0.1', '127.0.0.1/32']],
  ])('%j may be private', async (allowPrivate) => {
    await using site = await startSite({ '/': page })
    await using client = await open({ allowPrivate, resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    expect(await client.callTool('fetch', { url: `http://site.test:${site.port}/` })).not.toMatchObject({
      isError: true,
    })
  })

  test.each([[['10.0.0.0/8']], [['other.test']], [['te.test']], [['site.test:1']], [['*.other.test']]])(
    '%j does not open 127.0.0.1',
    async (allowPrivate) => {
      await using site = await startSite({ '/': page })
      await using client = await open({ allowPrivate, resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
      expect(await client.callTool('fetch', { url: `http://site.test:${site.port}/` })).toMatchObject({ isError: true })
      expect(site.requests).toEqual([])
    },
  )

  test('with allowHost other hosts are refused, also behind a redirect', async () => {
    await using site = await startSite({ '/': page, '/out': redirect('http://elsewhere.test/') })
    await using client = await open({
      allowHost: ['127.0.0.1'],
      resolve: async () => [{ address: '1.1.1.1', family: 4 }],
    })
    expect(await client.callTool('fetch', { url: `${site.origin}/` })).not.toMatchObject({ isError: true })
    for (const url of ['http://elsewhere.test/', `${site.origin}/out`]) {
      expect((await client.callTool('fetch', { url })).text).toContain('not among the hosts')
    }
  })

  test('with allowPort other ports are refused', async () => {
    await using site = await startSite({ '/': page })
    await using client = await open({ allowPort: [80, 443] })
    expect((await client.callTool('fetch', { url: `${site.origin}/` })).text).toContain('expected port 80 or 443')
  })

  test.each(['', 'a b', 'http://x/', '*', '10.0.0.0/99', 'x/y', 'a*b.test'])(
    'a rule that can match nothing throws: %j',
    async (rule) => {
      await expect(async () => await open({ allowPrivate: [rule] })).rejects.toThrow(/expected a host such as/)
    },
  )
})
