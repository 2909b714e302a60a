import { connect } from '@tenon/sdk/client'
import { type SkillResource, skillsOf } from '@tenon/sdk/skills'
import { createEverythingServer } from '@tenon/server-everything'
import { describe, expect, test } from 'vitest'
import { collect } from './helpers.ts'

const latest = { revisions: ['2025-11-25'] } as const

describe('resources', () => {
  test('fill several pages, which the iterator follows', async () => {
    await using client = await connect(createEverythingServer(), latest)
    const page = await client.listResources()
    expect(page.resources).toHaveLength(20)
    const all = await collect(client.resources())
    expect(new Set(all.map(({ uri }) => uri)).size).toBe(all.length)
    expect(all.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['guide:///welcome', 'guide:///logo.png', 'swatch:///yellow', 'clock:///now']),
    )
  })

  test('are paged, and tools are not: many clients never ask for a second page', async () => {
    await using client = await connect(createEverythingServer(), latest)
    expect((await client.listResources()).nextCursor).toBeDefined()
    const { tools, nextCursor } = await client.listTools()
    expect(nextCursor).toBeUndefined()
    expect(tools.length).toBeGreaterThan(20)
  })

  test('are text or bytes of the size that was listed', async () => {
    await using client = await connect(createEverythingServer(), latest)
    const listed = new Map((await client.listResources()).resources.map((one) => [one.uri, one]))
    const [guide] = (await client.readResource('guide:///welcome')).contents
    const [logo] = (await client.readResource('guide:///logo.png')).contents
    expect(Buffer.byteLength((guide as { text: string }).text)).toBe(listed.get('guide:///welcome')!.size)
    expect(Buffer.from((logo as { blob: string }).blob, 'base64')).toHaveLength(listed.get('guide:///logo.png')!.size!)
  })

  test('of a template take variables, and those that make no sense do not exist', async () => {
    await using client = await connect(createEverythingServer(), latest)
    const [swatch] = (await client.readResource('swatch:///coral?size=16')).contents
    expect(Buffer.from((swatch as { blob: string }).blob, 'base64').readUInt32BE(16)).toBe(16)
    const [mile] = (await client.readResource('conversion:///length/mi/km')).contents
    expect(mile).toMatchObject({ mimeType: 'application/json', text: '{"value":1.609344,"unit":"km"}' })
    const impossible = [
      'swatch:///coral?size=100000',
      'swatch:///__proto__',
      'conversion:///mass/mi/km',
      'file:///etc/passwd',
    ]
    for (const uri of impossible) {
      await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32002 })
    }
  })
})

describe('completion', () => {
  const conversion = { type: 'ref/resource', uri: 'conversion:///{quantity}/{from}/{to}{?value}' } as const

  test('of a variable starts with what was typed', async () => {
    await using client = await connect(createEverythingServer(), latest)
    const swatch = { type: 'ref/resource', uri: 'swatch:///{color}{?size}' } as const
    const { values } = await client.complete(swatch, { name: 'color', value: 'co' })
    expect(values).toEqual(['coral'])
  })

  test('of a variable depends on the ones that are known', async () => {
    await using client = await connect(createEverythingServer(), latest)
    const to = { name: 'to', value: '' }
    const known = { context: { arguments: { quantity: 'temperature', from: 'C' } } }
    expect((await client.complete(conversion, to, known)).values).toEqual(['K', 'F'])
    expect((await client.complete(conversion, to)).total).toBeGreaterThan(10)
  })

  test('of a prompt argument comes from its enum, or from the notes of this client', async () => {
    await using client = await connect(createEverythingServer(), latest)
    await client.callTool('write_note', { title: 'shopping', text: 'Milk' })
    const quantity = await client.complete({ type: 'ref/prompt', name: 'convert' }, { name: 'quantity', value: 'm' })
    expect(quantity.values).toEqual(['mass'])
    const title = await client.complete({ type: 'ref/prompt', name: 'review_note' }, { name: 'title', value: 's' })
    expect(title.values).toEqual(['shopping'])
  })
})

describe('prompts', () => {
  test('without arguments are one user message', async () => {
    await using client = await connect(createEverythingServer(), latest)
    const { messages } = await client.getPrompt('introduce')
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }])
  })

  test('list their arguments and refuse wrong ones', async () => {
    await using client = await connect(createEverythingServer(), latest)
    const convert = (await collect(client.prompts())).find(({ name }) => name === 'convert')
    expect(convert?.arguments?.map(({ name, required }) => [name, required])).toEqual([
      ['quantity', true],
      ['from', true],
      ['to', true],
      ['value', false],
    ])
    await expect(client.getPrompt('convert', { quantity: 'love', from: 'a', to: 'b' })).rejects.toMatchObject({
      code: -32602,
    })
  })

  test('send a note along, or pictures in a conversation', async () => {
    await using client = await connect(createEverythingServer(), latest)
    await client.callTool('write_note', { title: 'shopping', text: 'Milk' })
    const review = await client.getPrompt('review_note', { title: 'shopping', tone: 'brief' })
    expect(review.messages[1]?.content).toMatchObject({ type: 'resource', resource: { text: 'Milk' } })
    const colors = await client.getPrompt('name_that_color', { color: 'teal' })
    expect(colors.messages.map(({ role, content }) => `${role} ${content.type}`)).toEqual([
      'user text',
      'user image',
      'assistant text',
      'user text',
      'user image',
    ])
  })
})

describe('skills', () => {
  test.each(['2025-11-25', '2026-07-28'] as const)(
    'are listed, and every file is what was listed (%s)',
    async (revision) => {
      await using client = await connect(createEverythingServer(), { revisions: [revision] })
      const skills = skillsOf(client)
      const listing = await skills.list()
      expect(listing.refused).toEqual([])
      expect(listing.skills.map(({ uri }) => uri)).toEqual([
        'skill://convert-a-recipe/SKILL.md',
        'skill://plan-a-trip/SKILL.md',
      ])
      for (const skill of listing.skills) {
        for (const { uri } of skill.resources as SkillResource[]) {
          expect(await skills.read(skill, uri)).toMatchObject({ mimeType: 'text/markdown', verified: true })
        }
      }
      // The tools that they speak of exist.
      const tools = (await collect(client.tools())).map(({ name }) => name)
      const text = (await Promise.all(listing.skills.map(async (skill) => (await skills.read(skill)).text))).join('')
      const named = [...text.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
      expect(named.length).toBeGreaterThan(2)
      expect(named.filter((name) => !tools.includes(name!))).toEqual([])
    },
  )
})
