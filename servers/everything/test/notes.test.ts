import { type Client, connect, type ResourceLink } from '@tenon/sdk/client'
import { createEverythingServer } from '@tenon/server-everything'
import { expect, test } from 'vitest'
import { collect, deferred } from './helpers.ts'

const latest = { revisions: ['2025-11-25'] } as const

async function write(client: Client, title: string, text: string): Promise<string> {
  const { content } = await client.callTool('write_note', { title, text })
  return (content.find((block) => block.type === 'resource_link') as ResourceLink).uri
}

const notesOf = async (client: Client): Promise<string[]> =>
  (await collect(client.resources())).filter(({ uri }) => uri.startsWith('note:')).map(({ name }) => name)

test('a note can be read as a resource, embedded, searched for and deleted', async () => {
  await using client = await connect(createEverythingServer(), latest)
  const uri = await write(client, 'shopping', 'Milk and bread')
  expect((await client.readResource(uri)).contents).toMatchObject([{ text: 'Milk and bread' }])
  expect((await client.callTool('read_note', { title: 'shopping' })).content).toMatchObject([
    { type: 'resource', resource: { uri, text: 'Milk and bread' }, annotations: { lastModified: expect.any(String) } },
  ])
  expect((await client.callTool('search_notes', { query: 'BREAD' })).content).toMatchObject([
    { type: 'resource_link', uri, name: 'shopping' },
  ])
  expect((await client.callTool('search_notes', { query: 'wine' })).text).toBe('No note was found.')
  await client.callTool('delete_note', { title: 'shopping' })
  await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32002 })
})

test('a new note changes the list, a rewritten one updates its watchers', async () => {
  await using client = await connect(createEverythingServer(), latest)
  const listed = new Promise<void>((resolve) => client.onChange('resources', resolve))
  const uri = await write(client, 'shopping', 'Milk')
  await listed
  expect(await notesOf(client)).toEqual(['shopping'])
  const { promise, resolve } = deferred<string>()
  await using _watch = await client.watch(uri, (update) => resolve(update.uri))
  await write(client, 'shopping', 'Milk and bread')
  expect(await promise).toBe(uri)
})

test('a client neither sees nor hears of the notes of another', async () => {
  const server = createEverythingServer()
  await using ada = await connect(server, latest)
  const heard: unknown[] = []
  await using bob = await connect(server, { ...latest, onNotification: (message) => heard.push(message.method) })
  const uri = await write(ada, 'secret', 'The word is tenon')
  await write(ada, 'secret', 'The word is mortise')
  expect(await notesOf(ada)).toEqual(['secret'])
  expect(await notesOf(bob)).toEqual([])
  await expect(bob.readResource(uri)).rejects.toMatchObject({ code: -32002 })
  await expect(bob.watch(uri, () => {})).rejects.toMatchObject({ code: -32002 })
  expect(await bob.callTool('read_note', { title: 'secret' })).toMatchObject({ isError: true })
  const completed = await bob.complete({ type: 'ref/prompt', name: 'review_note' }, { name: 'title', value: '' })
  expect(completed.values).toEqual([])
  expect(heard).toEqual([])
})

test.each(['2025-06-18', '2026-07-28'] as const)(
  'in %s a client finds its notes again in a later request',
  async (revision) => {
    await using client = await connect(createEverythingServer(), { revisions: [revision] })
    await write(client, 'one', 'first')
    await write(client, 'two', 'second')
    expect((await client.callTool('describe_connection')).structured).toMatchObject({
      revision,
      notes: 2,
      operations: { 'tools/call': 3 },
    })
  },
)

test('a title that could leave its place in the URI is refused', async () => {
  await using client = await connect(createEverythingServer(), latest)
  for (const title of ['../other', 'a/b', '__proto__', '', 'A']) {
    expect(await client.callTool('write_note', { title, text: 'x' })).toMatchObject({ isError: true })
  }
})

test('there is room for a hundred notes', async () => {
  await using client = await connect(createEverythingServer(), latest)
  for (let index = 0; index < 100; index++) await write(client, `note-${index}`, 'x')
  expect(await client.callTool('write_note', { title: 'one-more', text: 'x' })).toMatchObject({ isError: true })
  await expect(write(client, 'note-0', 'changed')).resolves.toContain('/note-0')
})
