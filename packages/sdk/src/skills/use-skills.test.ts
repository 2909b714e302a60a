import { createHash } from 'node:crypto'
import type { JsonObject } from '@tenon/sdk/client'
import { extension } from '@tenon/sdk/extension'
import { createServer, type ResourceReturn, RpcError, resourceTemplate, type Server } from '@tenon/sdk/server'
import { fingerprint, isSkillError, type Skill, SkillError, skillsOf } from '@tenon/sdk/skills'
import { testClient } from '@tenon/sdk/testing'
import { describe, expect, test } from 'vitest'
import { skillText } from './skill-folder.suite.ts'

const eras = ['2025-11-25', '2026-07-28'] as const
const root = 'skill://pdf'
const uri = `${root}/SKILL.md`
const forms = `${root}/references/FORMS.md`
const digestOf = (bytes: string | Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const fileOf = (at: string, body: string | Uint8Array) => ({
  uri: at,
  digest: digestOf(body),
  size: Buffer.byteLength(body),
})

const honest: Skill = {
  uri,
  frontmatter: { name: 'pdf', description: 'What pdf does' },
  resources: [fileOf(uri, skillText('pdf')), fileOf(forms, 'forms')],
}

interface Lies {
  list?: unknown
  get?: unknown
  pages?: (cursor: unknown) => JsonObject
  /** The contents that are read, by URI. */
  files?: { [uri: string]: ResourceReturn }
  settings?: { directoryRead?: unknown }
  directory?: (cursor: unknown) => JsonObject
}

/** A server with the skills of a test, and the URIs that were read. */
function lying(lies: Lies): { server: Server; reads: string[] } {
  const reads: string[] = []
  const files = new Map<string, ResourceReturn>(
    Object.entries({ [uri]: skillText('pdf'), [forms]: 'forms', ...lies.files }),
  )
  const skills = extension({
    id: 'io.modelcontextprotocol/skills',
    declaredBy: 'server',
    methods: { 'skills/list': {}, 'skills/get': {}, 'resources/directory/read': {} },
  })
  const server = createServer({
    name: 'liar',
    version: '1.0.0',
    extensions: [
      skills.serve(
        {
          'skills/list': ({ cursor }) =>
            lies.pages?.(cursor) ?? { skills: 'list' in lies ? lies.list : [honest], ttlMs: 0, cacheScope: 'private' },
          'skills/get': () => ({ skill: 'get' in lies ? lies.get : honest }),
          'resources/directory/read': ({ cursor }) => lies.directory?.(cursor) ?? { resources: [] },
        },
        { settings: lies.settings ?? {} },
      ),
    ],
    resources: [
      resourceTemplate({
        uriTemplate: '{+uri}',
        name: 'anything',
        read: ({ uri: asked }) => {
          reads.push(asked)
          return files.get(asked)
        },
      }),
    ],
  })
  return { server, reads }
}

describe.each(eras)('a client of skills in %s', (revision) => {
  const using = async (lies: Lies) => {
    const { server, reads } = lying(lies)
    return { client: await testClient(server, { revision }), reads }
  }

  test('lists and gets without reading a file, and reads what is asked for (SEP-2640: Lazy Retrieval)', async () => {
    const { client, reads } = await using({})
    await using _client = client
    const skills = skillsOf(client)
    expect(skills.supported).toBe(true)
    expect(await skills.list()).toEqual({ skills: [honest], refused: [] })
    expect(await skills.get(uri)).toEqual(honest)
    expect(await fingerprint(honest)).toMatch(/^sha256:/)
    expect(reads).toEqual([])
    expect(await skills.read(honest)).toMatchObject({ path: 'SKILL.md', text: skillText('pdf'), verified: true })
    for (const file of [forms, 'references/FORMS.md', './references/../references/FORMS.md']) {
      expect(await skills.read(honest, file)).toMatchObject({ uri: forms, path: 'references/FORMS.md', text: 'forms' })
    }
    expect(await skills.read(uri, 'references/FORMS.md')).toMatchObject({ text: 'forms' })
    expect(reads).toEqual([uri, forms, forms, forms, forms])
  })

  const changed = skillText('pdf').replace('# pdf', '# PDF')
  test.each<[string, string, string, Lies]>([
    [
      'other bytes',
      'digest',
      `expected ${digestOf(skillText('pdf'))}, got ${digestOf(changed)}`,
      { files: { [uri]: changed } },
    ],
    ['more bytes', 'size', 'got more', { files: { [uri]: `${skillText('pdf')} ` } }],
    ['fewer bytes', 'size', 'got 3', { files: { [uri]: 'abc' } }],
    ['no bytes', 'size', 'got 0', { files: { [uri]: '' } }],
    ['far too many bytes', 'size', 'got more', { files: { [uri]: { blob: new Uint8Array(100_000) } } }],
    ['text that only looks the same', 'size', 'bytes, got', { files: { [uri]: skillText('pdf').replace('a', 'а') } }],
    ['nothing', 'contents', 'got nothing', { files: { [uri]: [] } }],
    [
      'two files',
      'contents',
      'expected this file alone',
      {
        files: {
          [uri]: [
            { uri, text: skillText('pdf') },
            { uri: forms, text: 'evil' },
          ],
        },
      },
    ],
    ['another file', 'contents', `got ${forms}`, { files: { [uri]: { uri: forms, text: skillText('pdf') } } }],
    ['what is not base64', 'contents', 'expected base64', { files: { [uri]: { blob: '*'.repeat(40) } } }],
  ])('refuses %s', async (_what, problem, message, lies) => {
    const { client, reads } = await using(lies)
    await using _client = client
    const error = await skillsOf(client)
      .read(honest)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SkillError)
    expect(isSkillError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'McpError',
      code: 'invalid_result',
      problem,
      uri,
      message: expect.stringContaining(message),
    })
    expect(reads).toEqual([uri])
  })

  test.each<[string, string, string]>([
    [
      'another description',
      skillText('pdf').replace('What', 'Why'),
      'description: the entry has What pdf does, the file Why pdf does',
    ],
    ['a field more', skillText('pdf', 'allowed-tools: Bash\n'), 'allowed-tools: the entry has nothing, the file Bash'],
    ['another name', skillText('git').replace('What git', 'What pdf'), 'name: the entry has pdf, the file git'],
    ['a prototype', skillText('pdf', '__proto__: {a: 1}\n'), '__proto__: the entry has nothing, the file {"a":1}'],
    ['nothing of the kind', '# Title\n', 'line 1: expected three dashes'],
    ['anchors', skillText('pdf', 'a: &b c\n'), 'line 4: anchors are not supported'],
  ])('refuses a front matter with %s, though the digest is right', async (_what, text, message) => {
    const listed = { ...honest, resources: [fileOf(uri, text)] }
    const { client } = await using({ list: [listed], files: { [uri]: text } })
    await using _client = client
    const { skills } = await skillsOf(client).list()
    await expect(skillsOf(client).read(skills[0]!)).rejects.toMatchObject({
      problem: 'frontmatter',
      message: expect.stringContaining(message),
    })
  })

  test('compares front matters field by field, deeply', async () => {
    const text = skillText('pdf', 'metadata:\n  version: 1\n  tags: [a, {b: null}]\n')
    const metadata = { tags: ['a', { b: null }], version: 1 }
    const entry = { ...honest, resources: [fileOf(uri, text)] }
    const { client } = await using({ files: { [uri]: text } })
    await using _client = client
    const read = (other: unknown) =>
      skillsOf(client).read({ ...entry, frontmatter: { ...honest.frontmatter, metadata: other } })
    expect(await read(metadata)).toMatchObject({ verified: true })
    const others = [
      { ...metadata, version: '1' },
      { ...metadata, more: 1 },
      { version: 1 },
      { ...metadata, tags: ['a', { b: 0 }] },
      { ...metadata, tags: ['a', { b: null }, 1] },
      null,
    ]
    for (const other of others) await expect(read(other)).rejects.toMatchObject({ problem: 'frontmatter' })
  })

  test('reads nothing that is not in the entry (SEP-2640: The Acting Window and the Held Entry)', async () => {
    const { client, reads } = await using({ files: { [`${root}/new.md`]: 'new', 'skill://other/x.md': 'x' } })
    await using _client = client
    const outside = [
      'new.md',
      `${root}/new.md`,
      'skill://other/x.md',
      '../other/x.md',
      'references/../../other/x.md',
      '/etc/passwd',
      'references',
      '',
      '.',
      'references%2FFORMS.md',
      `${root}/references/%2e%2e/SKILL.md`,
      'file:///etc/passwd',
      '__proto__',
    ]
    for (const file of outside) {
      await expect(skillsOf(client).read(honest, file), file).rejects.toMatchObject({ problem: 'unlisted' })
    }
    expect(reads).toEqual([])
  })

  const one = (more: object): unknown => ({ ...honest, ...more })
  const withFile = (file: object): unknown =>
    one({ resources: [fileOf(uri, skillText('pdf')), { ...fileOf(forms, 'x'), ...file }] })
  test.each<[string, string, unknown]>([
    ['no object', 'expected an object', 'skill'],
    ['no uri', 'uri: expected a string', one({ uri: 7 })],
    ['a uri that cannot even be shown', 'uri: expected a string', one({ uri: { toString: 1, valueOf: 1 } })],
    ['another file', 'ends in /pdf/SKILL.md', one({ uri: 'skill://pdf/README.md' })],
    ['a name that is not in the URI', 'ends in /git/SKILL.md', one({ frontmatter: { name: 'git', description: 'x' } })],
    ['a URI with dots', 'ends in /pdf/SKILL.md', one({ uri: 'skill://a/../pdf/SKILL.md' })],
    ['a URI with encoded dots', 'ends in /pdf/SKILL.md', one({ uri: 'skill://a/%2E%2e/pdf/SKILL.md' })],
    ['a URI that is none', 'ends in /pdf/SKILL.md', one({ uri: 'pdf/SKILL.md' })],
    ['no front matter', 'frontmatter: expected an object', one({ frontmatter: null })],
    ['no description', 'frontmatter.description', one({ frontmatter: { name: 'pdf' } })],
    ['a wrong name', 'frontmatter.name: expected', one({ frontmatter: { name: 'PDF', description: 'x' } })],
    ['no resources', 'resources: expected a list or "dynamic"', one({ resources: undefined })],
    ['other resources', 'resources: expected a list or "dynamic"', one({ resources: 'static' })],
    ['no SKILL.md', 'expected the SKILL.md itself', one({ resources: [fileOf(forms, 'x')] })],
    ['a file twice', 'listed twice', withFile({ uri })],
    ['a file twice, spelled differently', 'listed twice', withFile({ uri: `${root}/%53KILL.md` })],
    ['a file elsewhere', 'not in the folder', withFile({ uri: 'skill://pdf2/x.md' })],
    ['a file that leads out', 'not in the folder', withFile({ uri: `${root}/../x.md` })],
    ['a file that leads out, encoded', 'not in the folder', withFile({ uri: `${root}/a%2F..%2F..%2Fx.md` })],
    ['a file that leads out on Windows', 'not in the folder', withFile({ uri: `${root}/..%5Cx.md` })],
    ['a file that is a folder', 'not in the folder', withFile({ uri: `${root}/references/` })],
    ['a file with a query', 'not in the folder', withFile({ uri: `${root}/x.md?y` })],
    ['a file with a null', 'not in the folder', withFile({ uri: `${root}/x%00.md` })],
    ['half an escape', 'not in the folder', withFile({ uri: `${root}/%E0%A4%A` })],
    ['no digest', 'expected the digest', withFile({ digest: undefined })],
    ['a digest in capitals', 'expected the digest', withFile({ digest: digestOf('x').toUpperCase() })],
    ['a digest with more', 'expected the digest', withFile({ digest: `${digestOf('x')}\n` })],
    ['no size', 'expected the size', withFile({ size: undefined })],
    ['a negative size', 'expected the size', withFile({ size: -1 })],
    ['a size in text', 'expected the size', withFile({ size: '1' })],
    [
      '513 files',
      '513 files, and the limit is 512',
      one({ resources: Array.from({ length: 513 }, (_, n) => fileOf(`${root}/${n}`, '')) }),
    ],
    [
      'too many bytes',
      '16777217 bytes, and the limit is 16777216',
      one({ resources: [{ ...fileOf(uri, ''), size: 16_777_217 }] }),
    ],
  ])('refuses an entry with %s, and only that one', async (_what, message, entry) => {
    const other = { ...honest, uri: 'skill://a/pdf/SKILL.md', resources: 'dynamic' as const }
    const { client, reads } = await using({ list: [entry, other], get: entry })
    await using _client = client
    const { skills, refused } = await skillsOf(client).list()
    expect(skills).toEqual([other])
    expect(refused).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
    expect(refused.every(isSkillError)).toBe(true)
    await expect(skillsOf(client).get(uri)).rejects.toThrow(message)
    await expect(skillsOf(client).read(uri)).rejects.toThrow(message)
    await expect(skillsOf(client).read(entry as Skill)).rejects.toThrow()
    expect(reads).toEqual([])
  })

  test('refuses the entry of another skill, and one that is listed twice', async () => {
    const { client } = await using({ list: [honest, honest] })
    await using _client = client
    const { skills, refused } = await skillsOf(client).list()
    expect([skills.length, refused.map(({ message }) => message)]).toEqual([1, [`${uri}: the skill is listed twice`]])
    await expect(skillsOf(client).get('skill://git/SKILL.md')).rejects.toThrow(`got the entry of ${uri}`)
  })

  test('accepts skills as large as every host has to, and larger ones if told so', async () => {
    const many = Array.from({ length: 511 }, (_, index) => fileOf(`${root}/${index}`, ''))
    const full = { ...honest, resources: [{ ...fileOf(uri, ''), size: 16_777_216 }, ...many] }
    const { client } = await using({ list: [full] })
    await using _client = client
    expect((await skillsOf(client).list()).skills).toHaveLength(1)
    const { refused } = await skillsOf(client, { limits: { maxFiles: 10 } }).list()
    expect(refused).toMatchObject([{ problem: 'limit' }])
  })

  test('reads skills that cannot be verified only if told so, and says that they were not', async () => {
    const entry = { ...honest, resources: 'dynamic' as const }
    const { client, reads } = await using({
      get: entry,
      files: { [`${root}/made up.md`]: 'x', [`${root}/made%20up.md`]: 'made' },
    })
    await using _client = client
    await expect(skillsOf(client).read(entry)).rejects.toMatchObject({ problem: 'dynamic' })
    expect(reads).toEqual([])
    const skills = skillsOf(client, { dynamic: true, limits: { maxBytes: 100 } })
    expect(await skills.read(uri)).toMatchObject({ text: skillText('pdf'), verified: false })
    expect(await skills.read(entry, 'made up.md')).toMatchObject({ text: 'made', verified: false })
    await expect(skills.read(entry, '../x')).rejects.toMatchObject({ problem: 'unlisted' })
    await expect(
      skills.read({ ...entry, frontmatter: { ...entry.frontmatter, description: 'other' } }),
    ).rejects.toMatchObject({ problem: 'frontmatter' })
    expect(await fingerprint(entry)).toBeUndefined()
  })

  test('ends lists that do not end, or are too long', async () => {
    const loop = await using({ pages: () => ({ skills: [], nextCursor: 'again' }) })
    await using _loop = loop.client
    await expect(skillsOf(loop.client).list()).rejects.toThrow('does not end')
    let page = 0
    const long = await using({ pages: () => ({ skills: Array(100).fill(honest), nextCursor: String(page++) }) })
    await using _long = long.client
    await expect(skillsOf(long.client, { limits: { maxSkills: 1_000 } }).list()).rejects.toThrow('more than 1000 items')
    const huge = { ...honest, frontmatter: { ...honest.frontmatter, more: 'x'.repeat(10_000_000) } }
    const large = await using({ pages: () => ({ skills: [huge], nextCursor: String(page++) }) })
    await using _large = large.client
    await expect(skillsOf(large.client).list()).rejects.toThrow('more than 67108864 characters')
    const none = await using({ list: 'skills' })
    await using _none = none.client
    await expect(skillsOf(none.client).list()).rejects.toMatchObject({ code: 'invalid_result' })
  })

  test('asks for directories only where the server has said that it reads them', async () => {
    const lacking = await using({ settings: { directoryRead: 'yes' } })
    await using _lacking = lacking.client
    expect(skillsOf(lacking.client).readsDirectories).toBe(false)
    await expect(skillsOf(lacking.client).directory(root)).rejects.toMatchObject({ code: 'unsupported' })
    const having = await using({
      settings: { directoryRead: true },
      directory: (cursor) =>
        cursor === undefined
          ? { resources: [{ uri: forms, name: 'a' }], nextCursor: 'b' }
          : { resources: [{ name: 'b' }] },
    })
    await using _having = having.client
    await expect(skillsOf(having.client).directory(root)).rejects.toThrow('a child without a uri and a name')
  })

  test('of a server without skills is told so before anything is sent', async () => {
    await using client = await testClient(createServer({ name: 'plain', version: '1' }), { revision })
    const skills = skillsOf(client)
    expect([skills.supported, skills.readsDirectories]).toEqual([false, false])
    for (const call of [skills.list(), skills.get(uri), skills.read(uri), skills.directory(root)]) {
      await expect(call).rejects.toMatchObject({ code: 'unsupported' })
    }
  })
})

test('what is returned as text is what was verified, not what was sent', async () => {
  // Half of a character becomes U+FFFD in UTF-8, so both texts have the same bytes.
  const file = fileOf(forms, '\ufffd')
  const { server } = lying({ files: { [forms]: { text: '\ud800' } } })
  await using client = await testClient(server)
  const entry = { ...honest, resources: [fileOf(uri, skillText('pdf')), file] }
  expect((await skillsOf(client).read(entry, forms)).text).toBe('\ufffd')
})

test('a fingerprint changes with any file, and not with the order of files', async () => {
  const files = honest.resources as Exclude<Skill['resources'], 'dynamic'>
  const [first, second] = files as [(typeof files)[0], (typeof files)[0]]
  const prints = await Promise.all([
    fingerprint(honest),
    fingerprint({ ...honest, resources: [second, first] }),
    fingerprint({ ...honest, resources: [first] }),
    fingerprint({ ...honest, resources: [first, fileOf(forms, 'other')] }),
    fingerprint({ ...honest, resources: [...files, fileOf(`${root}/x`, '')] }),
  ])
  expect(prints[1]).toBe(prints[0])
  expect(new Set(prints).size).toBe(4)
})

test('a file that the client had kept is read again before it is refused', async () => {
  let body = 'old'
  const { server } = lying({ files: {} })
  const fresh = createServer({
    name: 'fresh',
    version: '1',
    resources: [resourceTemplate({ uriTemplate: 'skill://{+path}', name: 'x', read: () => body })],
    middleware: [
      async (operation, next) => {
        const result = await next()
        return operation.method === 'resources/read' ? { ...result, ttlMs: 60_000, cacheScope: 'private' } : result
      },
    ],
  })
  fresh.mount(server)
  await using client = await testClient(fresh)
  const entry = (text: string): Skill => ({ ...honest, resources: [fileOf(uri, ''), fileOf(forms, text)] })
  expect(await skillsOf(client).read(entry('old'), forms)).toMatchObject({ text: 'old' })
  body = 'new'
  expect(await skillsOf(client).read(entry('old'), forms)).toMatchObject({ text: 'old' })
  expect(await skillsOf(client).read(entry('new'), forms)).toMatchObject({ text: 'new' })
  await expect(skillsOf(client).read(entry('xyz'), forms)).rejects.toMatchObject({ problem: 'digest' })
})

test('an error of the server is an error of the server', async () => {
  const { server } = lying({ files: { [uri]: undefined } })
  await using client = await testClient(server)
  await expect(skillsOf(client).read(honest)).rejects.toBeInstanceOf(RpcError)
})
