import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, type Server } from '@tenon/sdk/server'
import { type ServedSkills, type Skill, skillsFrom, skillsOf } from '@tenon/sdk/skills'
import { testClient } from '@tenon/sdk/testing'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../../scripts/requires.ts'
import { type SkillFolder, skillFolder, skillText } from './skill-folder.suite.ts'

const eras = ['2025-11-25', '2026-07-28'] as const
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00])
const digestOf = (bytes: string | Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const serverOf = (skills: ServedSkills): Server =>
  createServer({ name: 'skills', version: '1.0.0', extensions: [skills.extension], resources: skills.resources })

const pdf = {
  'pdf/SKILL.md': skillText('pdf', 'metadata:\n  version: "2.1"\n__proto__: odd\n'),
  'pdf/references/FORMS.md': '\ufeff# Forms\r\n',
  'pdf/references/deep/er.txt': 'deep',
  'pdf/assets/logo with space#?.png': png,
  'pdf/scripts/run.py': 'print("ü")\n',
}

const pdfFolder = () => skillFolder(pdf)

describe.each(eras)('a folder of skills in %s', (revision) => {
  test('is listed with the front matter as it was written, and digests of the raw bytes (SEP-2640: Skill Entries)', async () => {
    await using folder = await pdfFolder()
    await using client = await testClient(serverOf(await skillsFrom(folder.path)), { revision })
    expect(client.server.capabilities).toMatchObject({
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
    })
    const listed = await client.request('skills/list')
    const [entry] = listed.skills as [Skill]
    expect(JSON.stringify(entry.frontmatter)).toBe(
      '{"name":"pdf","description":"What pdf does","metadata":{"version":"2.1"},"__proto__":"odd"}',
    )
    expect(entry.resources).toEqual(
      [
        ['skill://pdf/SKILL.md', pdf['pdf/SKILL.md']],
        ['skill://pdf/assets/logo%20with%20space%23%3F.png', png],
        ['skill://pdf/references/FORMS.md', pdf['pdf/references/FORMS.md']],
        ['skill://pdf/references/deep/er.txt', 'deep'],
        ['skill://pdf/scripts/run.py', pdf['pdf/scripts/run.py']],
      ].map(([uri, body]) => ({ uri, digest: digestOf(body!), size: Buffer.byteLength(body!) })),
    )
    const got = await client.request('skills/get', { uri: entry.uri })
    expect(got.skill).toEqual(entry)
    // Freshness is said where the revision can say it.
    for (const result of [listed, got]) {
      expect('ttlMs' in result && 'cacheScope' in result).toBe(revision === '2026-07-28')
    }
  })

  test('has its files as resources: text where it is text, byte for byte', async () => {
    await using folder = await pdfFolder()
    await using client = await testClient(serverOf(await skillsFrom(folder.path)), { revision })
    const { contents } = await client.readResource('skill://pdf/references/FORMS.md')
    expect(contents).toEqual([
      { uri: 'skill://pdf/references/FORMS.md', mimeType: 'text/markdown', text: '\ufeff# Forms\r\n' },
    ])
    const [logo] = (await client.readResource('skill://pdf/assets/logo%20with%20space%23%3F.png')).contents
    expect(logo).toMatchObject({ mimeType: 'image/png', blob: Buffer.from(png).toString('base64') })
    // Of the many files only those are listed that a skill starts with.
    expect((await client.listResources()).resources).toEqual([
      {
        uri: 'skill://pdf/SKILL.md',
        name: 'pdf',
        description: 'What pdf does',
        mimeType: 'text/markdown',
        size: pdf['pdf/SKILL.md'].length,
      },
    ])
  })

  test('is read directory by directory, and nothing else is a directory', async () => {
    await using folder = await pdfFolder()
    await mkdir(join(folder.path, 'pdf/empty'))
    await using client = await testClient(serverOf(await skillsFrom(folder.path, { prefix: 'acme' })), { revision })
    const children = async (uri: string) =>
      (await skillsOf(client).directory(uri)).map(({ uri: child, mimeType }) => [child, mimeType])
    expect(await children('skill://acme')).toEqual([['skill://acme/pdf', 'inode/directory']])
    expect(await children('skill://acme/pdf')).toEqual([
      ['skill://acme/pdf/SKILL.md', 'text/markdown'],
      ['skill://acme/pdf/assets', 'inode/directory'],
      ['skill://acme/pdf/empty', 'inode/directory'],
      ['skill://acme/pdf/references', 'inode/directory'],
      ['skill://acme/pdf/scripts', 'inode/directory'],
    ])
    expect(await children('skill://acme/pdf/empty')).toEqual([])
    for (const uri of ['skill://acme/pdf/SKILL.md', 'skill://acme/pdf/', 'skill://other', 'skill://', 'x', '']) {
      await expect(client.request('resources/directory/read', { uri })).rejects.toMatchObject({ code: -32602 })
    }
    await expect(client.request('resources/directory/read', {})).rejects.toMatchObject({ code: -32602 })
  })

  test('answers only for exactly what it has, however a URI is written', async () => {
    await using folder = await skillFolder({ 'a/SKILL.md': skillText('a'), 'secret.txt': 'secret', 'a/.env': 'KEY=1' })
    await using client = await testClient(serverOf(await skillsFrom(folder.path)), { revision })
    const uris = [
      'skill://a/../secret.txt',
      'skill://a/%2e%2e/secret.txt',
      'skill://a/..%2fsecret.txt',
      'skill://a/..\\secret.txt',
      'skill://secret.txt',
      'skill://a/.env',
      'skill://a/./SKILL.md',
      'skill://a//SKILL.md',
      'skill://a/SKILL.md/',
      'skill://a/%53KILL.md',
      'skill://A/SKILL.md',
      'skill://a/SKILL.md?x',
      'skill://a/SKILL.md%00',
      'skill:///etc/passwd',
      'skill://a/../../../../../../etc/passwd',
      'skill://__proto__',
      'skill://constructor/SKILL.md',
      'file:///etc/passwd',
    ]
    const notFound = { code: revision === '2026-07-28' ? -32602 : -32002 }
    for (const uri of uris) {
      await expect(client.readResource(uri), uri).rejects.toMatchObject(notFound)
      await expect(client.request('skills/get', { uri }), uri).rejects.toMatchObject({ code: -32602 })
    }
    expect((await client.readResource('skill://a/SKILL.md')).contents).toHaveLength(1)
  })

  test('is listed in pages that end, each skill on one of them', async () => {
    const names = Array.from({ length: 130 }, (_, index) => `skill-${String(index).padStart(3, '0')}`)
    await using folder = await skillFolder(
      Object.fromEntries(names.map((name) => [`many/${name}/SKILL.md`, skillText(name)])),
    )
    // Two manifests that do not fit on one page.
    for (const name of ['skill-050', 'skill-051']) {
      const files = Array.from({ length: 511 }, (_, index) => [`many/${name}/${'x'.repeat(200)}${index}`, ''])
      await folder.write(Object.fromEntries(files))
    }
    await using client = await testClient(serverOf(await skillsFrom(folder.path)), { revision })
    const sizes: number[] = []
    let cursor: string | undefined
    do {
      const page = await client.request('skills/list', cursor === undefined ? {} : { cursor })
      sizes.push((page.skills as Skill[]).length)
      cursor = page.nextCursor as string | undefined
    } while (cursor !== undefined)
    expect(sizes).toEqual([51, 79])
    const { skills, refused } = await skillsOf(client).list()
    expect([skills.map(({ frontmatter }) => frontmatter.name), refused]).toEqual([names, []])
    expect(skills[50]!.resources).toHaveLength(512)
    await expect(client.request('skills/list', { cursor: 'made up' })).rejects.toMatchObject({ code: -32602 })
    expect(await skillsOf(client).directory('skill://many/skill-050')).toHaveLength(512)
  })

  test('may nest skills: each has an entry, and the files of the inner ones belong to the outer ones too', async () => {
    await using folder = await skillFolder({
      'acme/outer/SKILL.md': skillText('outer'),
      'acme/outer/inner/SKILL.md': skillText('inner'),
      'acme/outer/inner/notes.md': 'notes',
      'acme/README.md': 'not part of a skill',
    })
    await using client = await testClient(serverOf(await skillsFrom(folder.path)), { revision })
    const { skills } = await skillsOf(client).list()
    expect(skills.map(({ uri, resources }) => [uri, resources.length])).toEqual([
      ['skill://acme/outer/SKILL.md', 3],
      ['skill://acme/outer/inner/SKILL.md', 2],
    ])
    await expect(client.readResource('skill://acme/README.md')).rejects.toMatchObject({ message: 'Resource not found' })
    expect(await skillsOf(client).directory('skill://acme')).toHaveLength(1)
  })
})

test.each(eras)('over HTTP a skill is found and read like everywhere else (%s)', async (revision) => {
  await using folder = await pdfFolder()
  await using http = await serveHttp(serverOf(await skillsFrom(pathToFileURL(folder.path))), { port: 0 })
  await using client = await connect(http.url, { revisions: [revision] })
  const skills = skillsOf(client)
  const [skill] = (await skills.list()).skills
  expect(await skills.read(skill!)).toMatchObject({ path: 'SKILL.md', text: pdf['pdf/SKILL.md'], verified: true })
  const logo = await skills.read('skill://pdf/SKILL.md', 'assets/logo with space#?.png')
  expect(Buffer.compare(logo.bytes, png)).toBe(0)
})

describe('what is in the folder', () => {
  const refusal = async (folder: SkillFolder): Promise<string> =>
    skillsFrom(folder.path).then(
      () => 'accepted',
      ({ code, message }) => `${code} ${message.replaceAll(folder.path, '')}`,
    )

  test('may be the skill itself, or several folders', async () => {
    await using one = await skillFolder({ 'pdf/SKILL.md': skillText('pdf'), 'pdf/x/y.md': 'y' })
    await using other = await skillFolder({ 'git/SKILL.md': skillText('git') })
    const { skills } = await skillsFrom([join(one.path, 'pdf'), pathToFileURL(other.path)], { prefix: 'acme/v1' })
    expect(skills.map(({ uri }) => uri)).toEqual(['skill://acme/v1/pdf/SKILL.md', 'skill://acme/v1/git/SKILL.md'])
    await expect(skillsFrom([one.path, one.path])).rejects.toThrow('skill://pdf/SKILL.md is served from another folder')
    for (const prefix of ['..', 'a/../b', '/a', 'a b', 'a//b']) {
      await expect(skillsFrom(one.path, { prefix })).rejects.toMatchObject({ code: 'invalid_argument' })
    }
  })

  test('is not served if it is hidden or installed', async () => {
    await using folder = await skillFolder({
      'a/SKILL.md': skillText('a'),
      'a/.git/config': 'x',
      'a/node_modules/b/SKILL.md': 'x',
      '.hidden/c/SKILL.md': 'x',
    })
    const { skills } = await skillsFrom(folder.path)
    expect(skills.map(({ resources }) => resources)).toMatchObject([[{ uri: 'skill://a/SKILL.md' }]])
  })

  test('may be linked within it, not from outside of it, nor to what is hidden', async () => {
    await using folder = await skillFolder({ 'a/SKILL.md': skillText('a'), 'elsewhere/x.md': 'x', 'a/.env': 'KEY=1' })
    const link = join(folder.path, 'a/link')
    const linked = async (target: string): Promise<string> => {
      await rm(link, { force: true })
      await symlink(target, link)
      return refusal(folder)
    }
    expect(await linked('../elsewhere/x.md')).toBe('accepted')
    expect(await linked('../elsewhere')).toBe('accepted')
    const { skills } = await skillsFrom(folder.path)
    expect(skills[0]!.resources).toMatchObject([{ uri: 'skill://a/SKILL.md' }, { uri: 'skill://a/link/x.md' }])
    for (const target of ['/etc/passwd', '../../../../../../etc/passwd', '/etc', '../..']) {
      expect(await linked(target)).toBe('invalid_definition /a/link: a link that leads out of the folder')
    }
    // A folder whose name starts like this one's is another folder.
    await mkdir(`${folder.path}-2`)
    expect(await linked(`${folder.path}-2`)).toContain('leads out of the folder')
    await rm(`${folder.path}-2`, { recursive: true })
    expect(await linked('.env')).toBe('invalid_definition /a/link: a link to what is hidden')
    expect(await linked('nowhere')).toBe('invalid_definition /a/link: a link that leads nowhere')
    expect(await linked('.')).toContain('a link to a folder that it is in')
    expect(await linked('..')).toContain('a link to a folder that it is in')
    expect(await linked('/dev/zero')).toContain('leads out of the folder')
  })

  test('that is linked many times over is more than it may be, and not read for ever', async () => {
    await using folder = await skillFolder({ 'a/SKILL.md': skillText('a') })
    let previous = 'a'
    for (const name of 'bcdefghijklmnopqrstu') {
      await mkdir(join(folder.path, name))
      for (const index of [1, 2, 3]) await symlink(`../${previous}`, join(folder.path, name, `${index}`))
      previous = name
    }
    expect(await refusal(folder)).toContain('more than 10000 files and folders')
  })

  test('is a file or a folder: nobody waits for a pipe', requires('posix'), async () => {
    await using folder = await skillFolder({ 'a/SKILL.md': skillText('a') })
    execFileSync('mkfifo', [join(folder.path, 'a/pipe')])
    expect(await refusal(folder)).toBe('invalid_definition /a/pipe: neither a file nor a folder')
  })

  test('is at most 512 files and 16 MiB for a skill, and 64 MiB in all', async () => {
    await using folder = await skillFolder({ 'a/SKILL.md': skillText('a') })
    await folder.write(Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`a/${index}`, ''])))
    expect(await refusal(folder)).toContain('the skill has 513 files, and at most 512 are allowed')
    await rm(join(folder.path, 'a/0'))
    expect(await refusal(folder)).toBe('accepted')
    await truncate(join(folder.path, 'a/1'), 16 * 1024 * 1024 - skillText('a').length)
    expect(await refusal(folder)).toBe('accepted')
    await truncate(join(folder.path, 'a/1'), 16 * 1024 * 1024 - skillText('a').length + 1)
    expect(await refusal(folder)).toContain('the skill has 16777217 bytes, and at most 16777216 are allowed')
    // A sparse file of a terabyte is not even begun.
    await truncate(join(folder.path, 'a/1'), 2 ** 40)
    expect(await refusal(folder)).toContain('with this file the skills have more than 67108864 bytes')
    await truncate(join(folder.path, 'a/1'), 1)
    await expect(skillsFrom(folder.path, { maxTotalBytes: 10 })).rejects.toThrow('more than 10 bytes')
  })

  test.each<[string, { [file: string]: string | Uint8Array }, string]>([
    ['a name that is not the folder’s', { 'a/SKILL.md': skillText('b') }, '/a/SKILL.md:2: name: expected "a"'],
    ['a wrong name', { 'A_b/SKILL.md': skillText('A_b') }, '/A_b/SKILL.md:2: name: expected 1 to 64'],
    ['no front matter', { 'a/SKILL.md': '# Hello' }, '/a/SKILL.md:1: expected three dashes'],
    ['a front matter that is wrong', { 'a/SKILL.md': skillText('a', 'x: &y 1\n') }, '/a/SKILL.md:4: anchors are'],
    ['bytes that are no text', { 'a/SKILL.md': png }, '/a/SKILL.md: expected text in UTF-8'],
    ['a name with a backslash', { 'a/SKILL.md': skillText('a'), 'a/x\\b': '' }, 'a name with a backslash'],
    ['a name with a break', { 'a/SKILL.md': skillText('a'), 'a/b\nc': '' }, 'characters that cannot be seen'],
  ])('is refused with its place if it has %s', async (_what, files, message) => {
    await using folder = await skillFolder(files)
    expect(await refusal(folder)).toContain(message)
  })

  test('is there', async () => {
    await expect(skillsFrom('/nowhere/skills')).rejects.toThrow('/nowhere/skills: there is no such folder')
    await using folder = await skillFolder({ file: '' })
    await expect(skillsFrom(join(folder.path, 'file'))).rejects.toThrow('cannot be read as a folder')
  })
})

describe('a folder that changes', () => {
  const changes = (client: Awaited<ReturnType<typeof testClient>>) => {
    let seen = 0
    let wake: (() => void) | undefined
    client.onChange('resources', () => {
      seen++
      wake?.()
    })
    return async (count: number) => {
      while (seen < count) await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  test('is read again when that is asked for, and clients are told', async () => {
    await using folder = await pdfFolder()
    const skills = await skillsFrom(folder.path)
    const server = serverOf(skills)
    const detach = skills.attach(server)
    await using client = await testClient(server, { revision: '2025-11-25' })
    const told = changes(client)
    let updated: string | undefined
    await using _watch = await client.watch('skill://pdf/scripts/run.py', ({ uri }) => {
      updated = uri
    })
    expect(await skills.refresh()).toBe(false)
    await folder.write({ 'pdf/scripts/run.py': 'changed', 'git/SKILL.md': skillText('git') })
    // Until then everything is as it was.
    expect((await skillsOf(client).read('skill://pdf/SKILL.md', 'scripts/run.py')).text).toBe('print("ü")\n')
    expect(await skills.refresh()).toBe(true)
    await told(1)
    await expect.poll(() => updated).toBe('skill://pdf/scripts/run.py')
    expect((await skillsOf(client).list()).skills).toHaveLength(2)
    expect((await client.listResources()).resources).toHaveLength(2)
    // A failed read leaves the catalog as it was.
    await folder.write({ 'git/SKILL.md': 'broken' })
    await expect(skills.refresh()).rejects.toThrow('/git/SKILL.md:1')
    expect(skills.skills).toHaveLength(2)
    detach()
    await rm(join(folder.path, 'git'), { recursive: true })
    expect(await Promise.all([skills.refresh(), skills.refresh()])).toEqual([true, false])
    expect(skills.skills).toHaveLength(1)
  })

  test('is read again by itself if it is watched, new folders included', async () => {
    await using folder = await pdfFolder()
    const errors: unknown[] = []
    await using skills = await skillsFrom(folder.path, { watch: true, onError: (error) => errors.push(error) })
    const server = serverOf(skills)
    skills.attach(server)
    await using client = await testClient(server, { revision: '2025-11-25' })
    const told = changes(client)
    const uris = () => skills.skills.map(({ uri }) => uri)
    // As a checkout does it: at once, from elsewhere.
    await using elsewhere = await skillFolder({ 'new/SKILL.md': skillText('new') })
    await mkdir(join(folder.path, 'acme'))
    await rename(join(elsewhere.path, 'new'), join(folder.path, 'acme/new'))
    for (let round = 1; !uris().includes('skill://acme/new/SKILL.md'); round++) await told(round)
    await writeFile(join(folder.path, 'acme/new/more.md'), 'more')
    const files = () => skills.skills.find(({ uri }) => uri === 'skill://acme/new/SKILL.md')!.resources.length
    for (let round = 2; files() < 2; round++) await told(round)
    expect(errors).toEqual([])
  })
})
