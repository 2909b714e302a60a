/** Options that the library does not have, or of another kind, are refused where they are given: JavaScript has no compiler. */
import { describe, expect, test } from 'vitest'
import { connect } from '../src/client.ts'
import { fetchHandler } from '../src/http.ts'
import { nodeHandler, serveHttp } from '../src/node.ts'
import { createServer, prompt, resource, resourceTemplate, tool } from '../src/server.ts'
import { serveStdio } from '../src/stdio.ts'
import { testClient } from '../src/testing.ts'

const run = () => ''
const info = { name: 'shop', version: '1' }
const server = createServer(info)
const any = (value: unknown): never => value as never

describe('definitions', () => {
  test.each<[string, () => unknown, string]>([
    [
      'the name that the official library has for a schema',
      () => tool(any({ name: 'x', inputSchema: {}, run })),
      'tool "x": unknown option inputSchema; it is called input here',
    ],
    [
      'the name that FastMCP has for a schema',
      () => tool(any({ name: 'x', parameters: {}, execute: run })),
      'tool "x": unknown option parameters; it is called input here',
    ],
    [
      'another name for the handler',
      () => tool(any({ name: 'x', handler: run })),
      'tool "x": unknown option handler; it is called run here',
    ],
    [
      'a slip',
      () => tool(any({ name: 'x', descripton: '', run })),
      'tool "x": unknown option descripton; did you mean description?',
    ],
    [
      'hints beside the annotations',
      () => tool(any({ name: 'x', readOnlyHint: true, run })),
      'tool "x": unknown option readOnlyHint; it is called annotations here',
    ],
    [
      'a slip in a hint, which would be the opposite of safe',
      () => tool(any({ name: 'x', annotations: { readonly: true }, run })),
      'tool "x" annotations: unknown option readonly; did you mean readOnly or readOnlyHint?',
    ],
    [
      'something unlike anything',
      () => prompt(any({ name: 'x', banana: 1, run })),
      'prompt "x": unknown option banana; there are name, title, description, arguments,',
    ],
    [
      'arguments of a prompt by another name',
      () => prompt(any({ name: 'x', argsSchema: {}, run })),
      'prompt "x": unknown option argsSchema; it is called arguments here',
    ],
    [
      'the handler of a resource by another name',
      () => resource(any({ uri: 'a:///b', name: 'x', load: run })),
      'resource "a:///b": unknown option load; it is called read here',
    ],
    [
      'the spelling of Python',
      () => resourceTemplate(any({ uri_template: 'a:///{b}', name: 'x', read: run })),
      'unknown option uri_template; did you mean uriTemplate?',
    ],
    [
      'a list by a wrong name',
      () => createServer(any({ ...info, toolz: [] })),
      'createServer: unknown option toolz; did you mean tools?',
    ],
    [
      'a limit by a wrong name',
      () => createServer({ ...info, limits: any({ maxIncomming: 1 }) }),
      'createServer limits: unknown option maxIncomming; did you mean maxIncoming?',
    ],
    [
      'a capability that follows from the other options',
      () => createServer({ ...info, capabilities: any({ tools: {} }) }),
      'createServer capabilities: unknown option tools; there are experimental, extensions',
    ],
    [
      'a callback that is none',
      () => createServer({ ...info, onError: any(true) }),
      'createServer onError: expected a function, got a boolean',
    ],
    [
      'text that is none',
      () => tool({ name: 'x', description: any(5), run }),
      'tool "x" description: expected a string, got an integer',
    ],
    ['null', () => tool({ name: 'x', icons: any(null), run }), 'tool "x" icons: expected an array, got null'],
    ['the arguments of the official library', () => tool(any('x')), 'tool undefined: expected an object, got a string'],
    ['nothing', () => resource(any(undefined)), 'resource undefined: expected an object, got nothing'],
    [
      'a name of every object',
      () => tool(any({ name: 'x', constructor: 1, run })),
      'unknown option constructor; there are name,',
    ],
  ])('%s', (_name, define, message) => {
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
    expect(define).toThrow(message)
  })

  test('an option that is undefined is none, by whatever name', () => {
    expect(tool(any({ name: 'x', run, inputSchema: undefined })).name).toBe('x')
    expect(createServer(any({ ...info, description: undefined, onError: undefined })).name).toBe('shop')
  })
})

describe('connecting and serving', () => {
  test.each<[string, () => unknown, string]>([
    [
      'connect',
      () => connect(server, any({ clientInfo: info })),
      'connect: unknown option clientInfo; it is called info here',
    ],
    ['connect', () => connect(server, any({ timeout: 5 })), 'connect: unknown option timeout; did you mean timeoutMs?'],
    ['connect', () => connect(server, { onLog: any({}) }), 'connect onLog: expected a function, got an object'],
    [
      'connect',
      () => connect(server, { capabilities: any({ sampling: {} }) }),
      'connect capabilities: unknown option sampling',
    ],
    [
      'testClient',
      () => testClient(server, any({ revison: '2025-11-25' })),
      'unknown option revison; did you mean revisions?',
    ],
    [
      'serveHttp',
      () => serveHttp(server, any({ session: false })),
      'serveHttp: unknown option session; did you mean sessions?',
    ],
    [
      'serveHttp',
      () => serveHttp(server, any({ sessions: 'no' })),
      'serveHttp sessions: expected an object or false, got a string',
    ],
    [
      'serveHttp',
      () => serveHttp(server, any({ sse: true })),
      'serveHttp sse: expected a string or false, got a boolean',
    ],
    [
      'serveHttp',
      () => serveHttp(server, any({ allowedHosts: 'example.com' })),
      'serveHttp allowedHosts: expected an array or "*", got a string',
    ],
    [
      'serveHttp',
      () => serveHttp(server, { port: 99_999 }),
      'serveHttp port: expected an integer from 0 to 65535, got 99999',
    ],
    [
      'serveHttp',
      () => serveHttp(server, { sessions: any({ maximum: 5 }) }),
      'sessions: unknown option maximum; there are max, idleMs',
    ],
    [
      'nodeHandler',
      async () => nodeHandler(server, any({ port: 3000 })),
      'nodeHandler: unknown option port; there are path,',
    ],
    [
      'fetchHandler',
      async () => fetchHandler(server, any({ authenticate: run })),
      'fetchHandler: unknown option authenticate; it is called auth here',
    ],
    [
      'serveStdio',
      () => serveStdio(server, any({ exits: false })),
      'serveStdio: unknown option exits; did you mean exit?',
    ],
  ])('%s refuses: %#', async (_name, act, message) => {
    await expect(act()).rejects.toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(message) })
  })
})

describe('options of a class', () => {
  class Options {
    port = 0
    get allowedHosts() {
      return ['127.0.0.1']
    }
    auth() {
      return { status: 401 }
    }
  }

  test('count wherever they are declared: nobody gets in past an auth that is a method', async () => {
    await using http = await serveHttp(server, new Options())
    expect((await fetch(http.url, { method: 'POST' })).status).toBe(401)
    await using hidden = await serveHttp(server, Object.defineProperty({}, 'auth', { value: () => ({ status: 401 }) }))
    expect((await fetch(hidden.url, { method: 'POST' })).status).toBe(401)
  })
})
