import { type JsonObject, revisions } from '@tenon/sdk/client'
import type { ConfigSection } from './section.ts'

const text = (description: string): JsonObject => ({ type: 'string', minLength: 1, description })
const texts = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description })
const record = (description: string): JsonObject => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
})
const count = (description: string, minimum = 1): JsonObject => ({ type: 'integer', minimum, description })
const object = (description: string, properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  description,
  properties,
  additionalProperties: false,
  ...(required.length > 0 && { required }),
})
const anyOrList = (description: string): JsonObject => ({
  description,
  anyOf: [{ const: '*' }, { type: 'array', items: { type: 'string', minLength: 1 } }],
})

const globs = {
  include: texts('Globs of the names and URIs that are taken, such as read_* or tools:read_*. Default: all'),
  exclude: texts('Globs of those that are left out, which goes before include'),
}

const upstream = object('A server behind the gateway; it has one of command, url, socket, module and openapi', {
  command: text('A program that speaks on its standard input and output'),
  args: texts('The arguments of the program'),
  env: record('Variables of the program'),
  cwd: text('The folder of the program. Default: that of this file'),
  url: text('A server at http, https, ws, wss, or HTTP on a socket: unix:///run/a.sock#/mcp'),
  headers: record('Headers for every request'),
  socket: text('A socket on which messages are lines'),
  module: text('A module that exports a server of createServer'),
  export: text('The name of the export. Default: default, or else server'),
  openapi: text('An OpenAPI document: a file or a URL. Each operation is a tool'),
  baseUrl: text('The address of the service that the document describes'),
  credentials: record('A secret for each security scheme of the document'),
  maxAnswerBytes: count('Longest answer of the service. Default 1 MiB'),
  ...globs,
  timeoutMs: count('How long a handshake or a list may take. Default 10000'),
  failure: {
    enum: ['open', 'closed'],
    description: 'Without it, lists lack its items (open) or fail (closed). Default open',
  },
  maxConnections: count('Connections at once. Default 100'),
  breaker: object('When nothing is sent to an upstream that fails', {
    failures: count('Failures in a row. Default 5'),
    restMs: count('For so long. Default 10000'),
  }),
  health: object('Asks it every so often whether it is there', { everyMs: count('How often', 1_000) }, ['everyMs']),
  cacheListsMs: count('For so long lists are kept. Default: for as long as the upstream says', 0),
  revisions: {
    type: 'array',
    minItems: 1,
    items: { enum: [...revisions] },
    description: 'The revisions to speak with it. Default: all',
  },
})

const member: JsonObject = {
  ...object('What is taken of an upstream, and under which names', {
    ...globs,
    prefix: { type: 'string', description: 'Before the names of its tools and prompts. Default: its name and __' },
    rename: record('Other names for tools and prompts, by the names that the upstream has for them'),
  }),
  type: ['object', 'null'],
}

const server = object('A server that is made of upstreams, at /servers/NAME/mcp', {
  title: text('Its name for people'),
  instructions: text('For models, before the instructions of the upstreams'),
  upstreams: { type: 'object', additionalProperties: member, description: 'Its upstreams. Default: all of all' },
  search: { type: 'boolean', description: 'Lists find_tools and call_tool instead of all tools. Default false' },
})

const listen = object('Where the gateway listens', {
  url: text('The address by which clients and browsers know the gateway, without a path: https://mcp.example.com'),
  host: text('An address of this machine. Default 127.0.0.1'),
  port: { type: 'integer', minimum: 0, maximum: 65_535, description: 'Default: any free one' },
  allowedHosts: anyOrList('Names in Host that are answered; "*" is any'),
  allowedOrigins: anyOrList('Web origins that may call; "*" is any'),
})

const operator = object(
  'Where the people who run the gateway are answered',
  {
    host: text('An address of this machine. Default 127.0.0.1'),
    port: { type: 'integer', minimum: 0, maximum: 65_535, description: 'Default: any free one' },
    token: { type: 'string', minLength: 32, description: 'Whoever has it may do everything that the API can' },
  },
  ['token'],
)

/** The JSON Schema of a configuration file, with those of further sections. */
export const gatewaySchema = (sections: readonly ConfigSection[]): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of tenon gateway',
  ...object(
    'Many MCP servers behind one endpoint',
    {
      $schema: { type: 'string', description: 'The address of this schema, for editors' },
      listen,
      operator,
      upstreams: { type: 'object', additionalProperties: upstream, description: 'The servers, by their names' },
      servers: {
        type: 'object',
        additionalProperties: server,
        description: 'Virtual servers, by their names; all is the one at /mcp',
      },
      ...Object.fromEntries(sections.map(({ name, schema }) => [name, schema])),
    },
    ['upstreams'],
  ),
})
