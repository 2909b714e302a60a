import { fromOpenApi, OpenApiError } from '@tenon/openapi'
import { connect } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { json, startService } from './service.ts'

const api = (paths: unknown, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths,
  ...more,
})
const get = (operation: object = {}) => ({ get: { operationId: 'it', responses: {}, ...operation } })
const baseUrl = 'https://service.example'
const problems = (document: object) => fromOpenApi(document, { baseUrl }).problems.map(({ message }) => message)

test.each([
  ['', 'The document: expected an OpenAPI document, got null'],
  ['[]', 'The document: expected an OpenAPI document, got an array'],
  ['{"openapi": "3.0"', 'The document: expected JSON or YAML: '],
  ['a: [1', 'The document: expected JSON or YAML: '],
  ['{"swagger": "2.0"}', '/openapi: expected "3.0.x" or "3.1.x", got swagger "2.0"'],
  ['{"openapi": 3.1}', '/openapi: expected "3.0.x" or "3.1.x", got 3.1'],
  ['{"openapi": "3.1.0", "paths": []}', '/paths: expected an object, got an array'],
])('%j is no document: %s', (text, message) => {
  expect(() => fromOpenApi(text)).toThrow(OpenApiError)
  expect(() => fromOpenApi(text)).toThrow(message)
})

test('an operation that cannot be used is named, and the others work', () => {
  const schema = (value: unknown) => ({ parameters: [{ name: 'a', in: 'query', schema: value }] })
  const document = api({
    '/fine': get({ operationId: 'fine' }),
    '/elsewhere': get(schema({ $ref: 'https://evil.example/schema.json' })),
    '/nowhere': get(schema({ $ref: '#/components/schemas/None' })),
    '/proto': get(schema({ $ref: '#/__proto__/toString' })),
    '/circle': { $ref: '#/paths/~1circle' },
    '/place': get({ parameters: [{ name: 'a', in: 'body' }] }),
    '/wrong': get(schema({ type: 'numbr' })),
    '/same': get({
      parameters: ['query', 'cookie'].flatMap((place) => [
        { name: 'a b', in: place },
        { name: 'a*b', in: place },
      ]),
    }),
  })
  const { server, problems } = fromOpenApi(document, { baseUrl })
  expect([...server.tools].map(({ name }) => name)).toEqual(['fine'])
  expect(problems.map(({ pointer, message }) => [pointer, message.slice(pointer.length)])).toEqual([
    ['/paths/~1circle', ': the reference leads in a circle'],
    ['/paths/~1place/get/parameters/0/in', ': expected path, query, header or cookie, got "body"'],
    expect.arrayContaining([expect.stringContaining('the name "it" would belong to')]),
  ])
})

test.each([
  [{ $ref: 'https://evil.example/schema.json' }, 'leads to another document'],
  [{ $ref: '#/components/schemas/None' }, 'leads nowhere'],
  [{ $ref: '#/__proto__/toString' }, 'leads nowhere'],
  [{ type: 'numbr' }, "'numbr' is not a JSON type"],
  [nested(100), 'nested deeper than 64 levels'],
])('a schema like %j is a problem of its operation', (schema, message) => {
  expect(problems(api({ '/a': get({ parameters: [{ name: 'a', in: 'query', schema }] }) }))).toEqual([
    expect.stringContaining(message),
  ])
})

function nested(depth: number): object {
  return depth === 0 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) }
}

test('a service without an address is a problem that says what to do', () => {
  const { problems } = fromOpenApi(api({ '/a': get() }))
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('give baseUrl')])
  expect(fromOpenApi(api({ '/a': get() }, { servers: [{ url: 'file:///etc' }] })).problems).toHaveLength(1)
})

test('names of prototypes are names', async () => {
  const service = await startService(({ url }, response) => json(response, { url }))
  const parameters = ['__proto__', 'constructor', 'toString'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }))
  const document = api(
    { '/a': { get: { operationId: 'constructor', parameters, security: [{ toString: [] }, {}], responses: {} } } },
    { components: {} },
  )
  const { server, problems } = fromOpenApi(JSON.stringify(document), { baseUrl: service.url, credentials: {} })
  expect(problems).toEqual([])
  await using client = await connect(server)
  const [tool] = (await client.listTools()).tools
  expect(Object.keys(tool!.inputSchema.properties!)).toEqual(['proto', 'constructor', 'toString'])
  await client.callTool('constructor', { constructor: 'c' })
  expect(service.received.map(({ url }) => url)).toEqual(['/a?constructor=c'])
})

test('a service that breaks off, hangs or cannot be reached is an error for the model, without its keys', async () => {
  const service = await startService(({ url }, response) => {
    if (url.startsWith('/broken')) {
      response.writeHead(200, { 'content-length': '100', 'content-type': 'application/json' }).write('{"a":')
      response.destroy()
    }
  })
  const security = [{ key: [] }]
  const document = api(
    {
      '/broken': { get: { operationId: 'broken', responses: {}, security } },
      '/hangs': { get: { operationId: 'hangs', responses: {}, security } },
      '/gone': { get: { operationId: 'gone', responses: {}, security, servers: [{ url: 'http://127.0.0.1:1' }] } },
    },
    {
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } } },
      servers: [{ url: service.url }],
    },
  )
  const credentials = { key: 's3cret' }
  await using client = await connect(fromOpenApi(document, { credentials }).server)
  await using hasty = await connect(fromOpenApi(document, { credentials, timeoutMs: 100 }).server)
  const said = [await client.callTool('broken'), await hasty.callTool('hangs'), await client.callTool('gone')]
  expect(said.map(({ isError }) => isError)).toEqual([true, true, true])
  const [broken, hangs, gone] = said.map(({ text }) => text)
  expect(broken).toMatch(/broke off|cannot be reached/)
  expect(hangs).toContain('did not answer within 0.1 s')
  expect(gone).toContain('127.0.0.1:1 cannot be reached')
  for (const text of [broken, hangs, gone]) expect(text).not.toContain('s3cret')
})
