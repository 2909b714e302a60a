import { describe, expect, test } from 'vitest'
import { readRobots } from '../src/network/robots.ts'
import { open } from './open.ts'
import { redirect, type Site, startSite } from './site.ts'

const agent = 'ModelContextProtocol/1.0 (Autonomous)'
const lines = (...rules: string[]): string => rules.join('\n')

describe('RFC 9309', () => {
  test.each([
    ['nothing', '', '/a', true],
    ['a prefix', 'user-agent: *\ndisallow: /a', '/ab', false],
    ['another path', 'user-agent: *\ndisallow: /a', '/b', true],
    ['an empty rule', 'User-Agent: *\nDisallow:', '/a', true],
    ['the longest match', lines('user-agent: *', 'disallow: /a', 'allow: /a/b'), '/a/b/c', true],
    ['the longest match, in any order', lines('user-agent: *', 'allow: /a/b', 'disallow: /a'), '/a/c', false],
    ['allow at equal length', lines('user-agent: *', 'disallow: /a', 'allow: /a'), '/a', true],
    [
      'the own group before *',
      lines('user-agent: *', 'disallow: /', '', 'user-agent: modelcontextprotocol', 'disallow: /x'),
      '/a',
      true,
    ],
    ['the own group, with a version', lines('user-agent: ModelContextProtocol/2', 'disallow: /'), '/a', false],
    [
      'groups with the same name together',
      lines(
        'user-agent: ModelContextProtocol',
        'disallow: /a',
        'user-agent: x',
        'allow: /',
        'user-agent: ModelContextProtocol',
        'disallow: /b',
      ),
      '/b',
      false,
    ],
    ['several names of a group', lines('user-agent: x', 'user-agent: *', 'disallow: /'), '/a', false],
    ['another crawler', lines('user-agent: ModelContext', 'disallow: /'), '/a', true],
    ['*', lines('user-agent: *', 'disallow: /*.php'), '/x/y.php?z', false],
    ['$', lines('user-agent: *', 'disallow: /*.php$'), '/x.php?z', true],
    ['$ at the end', lines('user-agent: *', 'disallow: /*.php$'), '/x.php', false],
    ['$ after a part that comes twice', lines('user-agent: *', 'disallow: /*a$'), '/aba', false],
    ['comments and spaces', lines('user-agent : * # all', ' Disallow : /a # no'), '/a', false],
    ['the query', lines('user-agent: *', 'disallow: /a?b'), '/a?b=1', false],
    ['percent signs', lines('user-agent: *', 'disallow: /%7Ejoe/%c3%a9'), '/~joe/%C3%A9', false],
    ['characters that are not ASCII', lines('user-agent: *', 'disallow: /é'), '/%C3%A9', false],
    ['a byte order mark', '\uFEFFuser-agent: *\ndisallow: /', '/a', false],
    ['carriage returns', 'user-agent: *\rdisallow: /a\r\nallow: /a/b', '/a/b', true],
    ['rules before any group', 'disallow: /', '/a', true],
    ['a sitemap inside of a group', lines('user-agent: *', 'sitemap: http://x/', 'disallow: /a'), '/a', false],
    ['robots.txt itself', lines('user-agent: *', 'disallow: /'), '/robots.txt', true],
  ])('%s', (_what, text, path, allowed) => expect(readRobots(text, agent)(path)).toBe(allowed))

  test('patterns of stars are matched without trying twice', () => {
    const rules = readRobots(lines('user-agent: *', `disallow: /${'*a'.repeat(5_000)}$`), agent)
    expect(rules(`/${'a'.repeat(4_999)}b`)).toBe(true)
  })
})

const fetchFrom = async (site: Site, path = '/page', options = {}) => {
  await using client = await open(options)
  return await client.callTool('fetch', { url: site.origin + path })
}

const answers = (status: number) => (_request: unknown, response: { writeHead(status: number): { end(): void } }) =>
  response.writeHead(status).end()

describe('a site', () => {
  const routes = { '/robots.txt': 'user-agent: *\ndisallow: /page', '/page': '<p>x</p>', '/free': '<p>y</p>' }

  test('that does not want it is not read, by the tool and by the prompt', async () => {
    await using site = await startSite(routes)
    await using client = await open()
    const url = `${site.origin}/page`
    const { text, isError } = await client.callTool('fetch', { url })
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringContaining('does not allow programs to fetch'),
    })
    expect(JSON.stringify(await client.getPrompt('fetch', { url }))).toContain('does not allow programs to fetch')
    expect((await client.callTool('fetch', { url: `${site.origin}/free` })).isError).not.toBe(true)
    expect(site.paths()).toEqual(['/free'])
  })

  test('is asked once, and not with ignoreRobotsTxt', async () => {
    await using site = await startSite(routes)
    await using client = await open()
    for (const path of ['/free', '/page', '/free']) await client.callTool('fetch', { url: site.origin + path })
    expect(site.requests.filter(({ path }) => path === '/robots.txt')).toHaveLength(1)
    expect((await fetchFrom(site, '/page', { ignoreRobotsTxt: true })).isError).not.toBe(true)
    expect(site.requests.filter(({ path }) => path === '/robots.txt')).toHaveLength(1)
  })

  test('behind a redirect is asked too', async () => {
    await using target = await startSite(routes)
    await using site = await startSite({ '/page': redirect(`${target.origin}/page`) })
    expect((await fetchFrom(site)).text).toContain('does not allow programs')
    expect(target.paths()).toEqual([])
  })

  test.each([
    [404, true],
    [410, true],
    [401, false],
    [403, false],
    [500, false],
    [503, false],
  ])('whose robots.txt answers %i: allowed is %s', async (status, allowed) => {
    await using site = await startSite({ '/robots.txt': answers(status) as never, '/page': '<p>x</p>' })
    expect((await fetchFrom(site)).isError !== true).toBe(allowed)
  })
})
