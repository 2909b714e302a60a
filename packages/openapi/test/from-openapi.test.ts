import { readFileSync } from 'node:fs'
import { fromOpenApi } from '@tenon/openapi'
import { connect, revisions } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { json, startService } from './service.ts'

const pets = readFileSync(new URL('pets.yaml', import.meta.url), 'utf8')
const png = Buffer.from('iVBORw0KGgo=', 'base64')

const service = await startService(({ method, url }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://service')
  if (pathname.endsWith('/photo') && method === 'GET')
    return response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  if (method === 'DELETE') return response.writeHead(204).end()
  if (pathname === '/v1/pets/9') return json(response, { reason: 'unknown' }, 404, { 'retry-after': '7' })
  if (pathname === '/v1/pets/away') return response.writeHead(302, { location: 'https://evil.example/' }).end()
  if (pathname === '/v1/pets/moved') return response.writeHead(302, { location: '/v1/pets/1' }).end()
  if (pathname === '/v1/pets/long') return json(response, { name: 'x'.repeat(5_000) })
  if (pathname === '/v1/pets/odd') return json(response, { id: 1, name: { first: 'Rex' } })
  if (pathname === '/v1/pets' && method === 'GET') {
    const page = Number(searchParams.get('page') ?? 1)
    return json(response, [{ id: page, name: null, color: 'brown' }], 200, {
      link: `<https://api.example.com/v1/pets?page=${page + 1}&api_key=k>; rel="next"`,
    })
  }
  return json(response, { id: 1, name: 'Rex' }, method === 'POST' ? 201 : 200)
})

const open = (more = {}) =>
  fromOpenApi(pets, { baseUrl: `${service.url}/v1/`, credentials: { key: 'k3y' }, maxAnswerBytes: 2_000, ...more })
const last = () => service.received.at(-1)!

test('each operation is a tool, with arguments that keep apart, and true annotations', async () => {
  const { server, problems } = open()
  expect(problems).toEqual([])
  await using client = await connect(server)
  expect(client.server.info).toMatchObject({ name: 'pet-store', version: '1.4.0' })
  const { tools } = await client.listTools()
  const one = (name: string) => tools.find((tool) => tool.name === name)!
  expect(tools.map(({ name }) => name)).toEqual([
    'listPets',
    'addPet',
    'get_pets_by_id',
    'removePet',
    'getPhoto',
    'putPhoto',
  ])
  expect(one('listPets')).toMatchObject({
    title: 'List pets',
    annotations: { readOnlyHint: true, openWorldHint: true },
  })
  expect(one('listPets').inputSchema.properties).toEqual({
    filter_kind: { type: 'array', items: { type: 'string' } },
    page: { type: 'integer', exclusiveMinimum: 0 },
  })
  expect(one('addPet').annotations).toEqual({ readOnlyHint: false, openWorldHint: true })
  // What the service sets is no argument; a pet may have a parent.
  expect(one('addPet').inputSchema.$defs).toEqual({
    Pet: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 20 },
        secret: { type: 'string' },
        parent: { $ref: '#/$defs/Pet' },
        nick: { type: ['string', 'null'] },
      },
    },
  })
  expect(one('get_pets_by_id').inputSchema).toMatchObject({
    properties: {
      path_id: { type: 'string' },
      query_id: { description: 'Of the owner' },
      'X-Trace': { type: 'string' },
    },
    required: ['path_id'],
  })
  expect(one('removePet').annotations).toMatchObject({ destructiveHint: true, idempotentHint: true })
  expect(one('putPhoto').inputSchema).toMatchObject({
    properties: { body: { properties: { photo: { required: ['data'] }, note: { type: 'string' } } } },
  })
})

test.each(revisions)('in %s a call reaches the service, and the next page is named', async (revision) => {
  await using client = await connect(open().server, { revisions: [revision] })
  const list = await client.callTool('listPets', { filter_kind: ['dog', 'cat & co'], page: 2 })
  expect(last().url).toBe('/v1/pets?filter%5Bkind%5D=dog%2Ccat+%26+co&page=2&api_key=k3y')
  expect(list.isError).toBe(false)
  expect(JSON.parse((list.content[0] as { text: string }).text)).toEqual([{ id: 2, name: null, color: 'brown' }])
  expect((list.content[1] as { text: string }).text).toBe('There is more: call again with {"page":"3"}')
})

test('the answer is structured, though services differ from their documents', async () => {
  await using client = await connect(open().server)
  expect((await client.callTool('listPets')).structured).toEqual({ result: [{ id: 1, name: null, color: 'brown' }] })
  expect((await client.callTool('addPet', { body: { name: 'Rex', secret: 's' } })).structured).toEqual({
    id: 1,
    name: 'Rex',
  })
  expect(last()).toMatchObject({ method: 'POST', body: '{"name":"Rex","secret":"s"}' })
  const odd = await client.callTool('get_pets_by_id', { path_id: 'odd' })
  expect(odd).toMatchObject({ isError: true })
  expect(odd.text).toContain('not as the service describes it: answer.name')
})

test('headers and the names of two places go where they belong', async () => {
  await using client = await connect(open().server)
  await client.callTool('get_pets_by_id', { path_id: 'a/b?c', query_id: 'd', 'X-Trace': 't' })
  expect(last()).toMatchObject({ url: '/v1/pets/a%2Fb%3Fc?id=d&api_key=k3y', headers: { 'x-trace': 't' } })
  expect(last().headers.authorization).toBeUndefined()
  const wrong = await client.callTool('get_pets_by_id', { path_id: '1', 'X-Trace': 'a\r\nb: c' })
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('can be a header') })
})

test.each(['..', '.', '', '%2e%2e/admin'])('the path value %j leads nowhere else', async (value) => {
  await using client = await connect(open().server)
  const before = service.received.length
  const result = await client.callTool('removePet', { id: value })
  if (result.isError) expect(service.received.length).toBe(before)
  else expect(last().url).toBe('/v1/pets/%252e%252e%2Fadmin')
})

test('files are parts of a form, and pictures are pictures', async () => {
  await using client = await connect(open().server)
  const photo = { data: png.toString('base64'), name: 'rex.png', type: 'image/png' }
  await client.callTool('putPhoto', { id: '1', body: { photo, note: 'hi' } })
  expect(last().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(last().body).toMatch(/name="photo"; filename="rex.png"\r\nContent-Type: image\/png/)
  expect(last().body).toContain('name="note"\r\n\r\nhi')
  const { content } = await client.callTool('getPhoto', { id: '1' })
  expect(content).toEqual([{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }])
})

test('a refusal says what it means, and the body that came with it', async () => {
  await using client = await connect(open().server)
  const result = await client.callTool('get_pets_by_id', { path_id: '9' })
  expect(result.isError).toBe(true)
  expect(result.text).toBe(
    'GET /pets/{id} failed: 404 Not Found. No such pet. Try again after 7 s\n{"reason":"unknown"}',
  )
})

test('an answer that is too long says so, and a redirect stays at its origin', async () => {
  await using client = await connect(open().server)
  const long = await client.callTool('get_pets_by_id', { path_id: 'long' })
  expect(long).toMatchObject({ isError: true, text: expect.stringContaining('longer than 2000 bytes') })
  const away = await client.callTool('get_pets_by_id', { path_id: 'away' })
  expect(away).toMatchObject({
    isError: true,
    text: expect.stringContaining('https://evil.example, which is not followed'),
  })
  expect((await client.callTool('get_pets_by_id', { path_id: 'moved' })).structured).toEqual({ id: 1, name: 'Rex' })
})

test('credentials: the first requirement that can be met, and what is missing', async () => {
  await using none = await connect(open({ credentials: undefined }).server)
  const result = await none.callTool('listPets')
  expect(result).toMatchObject({ isError: true, text: expect.stringContaining('needs credentials for key') })
  expect((await none.callTool('removePet', { id: '1' })).isError).toBe(false)
  expect(last().url).toBe('/v1/pets/1')
  const asked: string[] = []
  const credentials = ({ name, type, scheme }: { name: string; type: string; scheme?: string }) => {
    asked.push([name, type, scheme].join(' '))
    return name === 'login' ? 'ada:pw' : 'k'
  }
  await using both = await connect(open({ credentials }).server)
  await both.callTool('removePet', { id: '1' })
  expect(asked).toEqual(['key apiKey ', 'login http basic'])
  expect(last()).toMatchObject({ url: '/v1/pets/1?api_key=k', headers: { authorization: 'Basic YWRhOnB3' } })
})

test('rules choose and rename', async () => {
  const names = (options: object) => [...open(options).server.tools].map(({ name }) => name)
  expect(names({ include: ['GET /pets*'], exclude: ['getPhoto'] })).toEqual(['listPets', 'get_pets_by_id'])
  expect(names({ include: ['tag:admin'] })).toEqual(['removePet'])
  expect(names({ include: ['*Pet'], rename: { addPet: 'create' } })).toEqual(['create', 'removePet'])
  expect(names({ include: ['*Pet'], rename: (name: string) => name.toUpperCase() })).toEqual(['ADDPET', 'REMOVEPET'])
  const both = open({ include: ['*Pet'], rename: () => 'one' })
  expect([...both.server.tools]).toEqual([])
  expect(both.problems[0]!.message).toContain('"one" would belong to POST /pets, DELETE /pets/{id}')
})

test('another version of the document changes the tools, and clients hear of it', async () => {
  const api = open()
  await using client = await connect(api.server, { revisions: ['2025-11-25'] })
  let heard!: () => void
  const changed = new Promise<void>((resolve) => {
    heard = resolve
  })
  client.onChange('tools', heard)
  const next = pets.replace('operationId: removePet', 'operationId: deletePet').replace('List pets', 'List all pets')
  const { added, removed, changed: different } = api.reload(next)
  expect([added, removed].map(([tool]) => tool!.name)).toEqual(['deletePet', 'removePet'])
  expect(different.map(({ before, after }) => [before.title, after.title])).toEqual([['List pets', 'List all pets']])
  await changed
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('deletePet')
  expect(() => api.reload('openapi: 2')).toThrow('expected "3.0.x" or "3.1.x", got 2')
  expect((await client.callTool('listPets')).isError).toBe(false)
})
