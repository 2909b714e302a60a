/**
 * Two rules for all listening code, in every package: an exception in a listener ends the process, so each is guarded
 * where it is registered; and the target of a request is read in one place, so that a decision and the code it guards
 * see the same spelling.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const packages = fileURLToPath(new URL('../../', import.meta.url))
const files = readdirSync(packages)
  .flatMap((name) => {
    const folder = join(packages, name, 'src')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  })
  .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|suite|d)\.tsx?$|[/\\]fixtures[/\\]/.test(path))
  .map((path) => ({
    path: relative(packages, path).replaceAll('\\', '/'),
    text: withoutComments(readFileSync(path, 'utf8')),
  }))

function withoutComments(text: string): string {
  return text.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** The text between the parentheses of a call that begins at an index. */
function argumentsAt(text: string, open: number): string {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')' && --depth === 0) return text.slice(open + 1, i)
  }
  return text.slice(open)
}

/** Every call whose name and beginning match, with all its arguments. */
const calls = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((found) => `${found[0]}${argumentsAt(text, found.index + found[0].lastIndexOf('('))}`)

/** Events that a peer causes and fills. */
const fromPeers =
  /\.(?:on|once|addListener|prependListener|addEventListener)\('(?:request|upgrade|connection|secureConnection|clientError|checkContinue|checkExpectation|stream|session|data|message|ping|pong|response|unexpected-response)'/g

/** Listeners that cannot throw, or hand everything to a guarded one: how many there are, and why. */
const trivial: ReadonlyMap<string, { count: number; why: string }> = new Map([
  ['sdk/src/http-server/node/node-reply.ts', { count: 1, why: 'drops the chunks of a body' }],
  ['sdk/src/http-server/node/node-request.ts', { count: 1, why: 'keeps the chunks of a body' }],
  ['sdk/src/http-server/workers/forwarder.ts', { count: 1, why: 'passes the chunks of a body on' }],
  ['sdk/src/transport/post-message.ts', { count: 2, why: 'hand data to the guarded listener of the channel' }],
  ['sdk/src/transport/process/process.ts', { count: 1, why: 'notes that a process said something' }],
  ['sdk/src/websocket/connect.ts', { count: 1, why: 'keeps the socket' }],
  ['sdk/src/auth/client/stores/keychain/run-tool.ts', { count: 1, why: 'keeps what a program of the system printed' }],
  ['cli/src/dev/process/url-source.ts', { count: 1, why: 'keeps what the program of the person printed' }],
  ['cli/src/dev/view/shortcuts.ts', { count: 1, why: 'the keyboard' }],
  ['cli/src/commands/develop/inspect.ts', { count: 1, why: 'the keyboard' }],
])

const isGuarded = (call: string): boolean =>
  /guard(?:Listener|Requests|ed)|pageListener|sandboxListener|gatewayListener/i.test(call)

/** Servers of Node: their factory is imported from there, or looked up by name. */
const makesServers = (text: string): boolean =>
  /(?:from |getBuiltinModule\(|builtin\()'node:(?:http|https|http2|net|tls)'/.test(text) && /createServer\(/.test(text)

describe('every listener for what peers send is guarded', () => {
  test('where it is registered', () => {
    const bare = files.flatMap(({ path, text }) =>
      calls(text, fromPeers)
        .filter((call) => !isGuarded(call) && !trivial.has(path))
        .map((call) => `${path}: ${call.slice(0, 80)}`),
    )
    expect(bare).toEqual([])
  })

  test('where a server is made', () => {
    const servers = files.filter(({ text }) => makesServers(text))
    expect(servers.map(({ path }) => path)).toContain('sdk/src/http-server/serve-http.ts')
    const bare = servers.flatMap(({ path, text }) =>
      calls(text, /\b(?:createServer|createSecureServer)\(/g)
        // Without a listener there is nothing to guard yet: it comes with `on('request')`.
        .filter((call) => /,|=>/.test(call.replace(/\{[^{}]*\}/g, '')) && !/guard/.test(call))
        .map((call) => `${path}: ${call.slice(0, 80)}`),
    )
    expect(bare).toEqual([])
  })

  test('and a listener that is not would be found', () => {
    for (const wrong of ["http.on('request', (request, response) => {})", "socket.on('data', this.#take)"]) {
      expect(calls(wrong, fromPeers).filter((call) => !isGuarded(call))).toHaveLength(1)
    }
    expect(calls("http.on('request', guardRequests(answer, report))", fromPeers).filter(isGuarded)).toHaveLength(1)
  })

  test('those that are exempt are these, and no more', () => {
    for (const path of trivial.keys()) {
      const text = files.find((file) => file.path === path)?.text ?? ''
      expect(
        calls(text, fromPeers).filter((call) => !isGuarded(call)),
        path,
      ).not.toEqual([])
    }
  })
})

test('the target of a request is read in one place for Node, and in one for the Fetch standard', () => {
  const readers = files
    .filter(({ text }) => /IncomingMessage|RequestListener|ServerResponse|: Request\b/.test(text))
    .filter(({ text }) =>
      /(?<!#)\b(?:request|req|raw|incoming)!?\??\.(?:url|originalUrl)\b|originalUrl|\burl\b[^;{}()]*\}: (?:IncomingMessage|Request)\b/.test(
        text,
      ),
    )
  expect(readers.map(({ path }) => path).sort()).toEqual([
    // The URL of a request of the Fetch standard, parsed once.
    'issuer/src/issuer.ts',
    'sdk/src/http-server/fetch/fetch-request.ts',
    'sdk/src/http/request-head.ts',
  ])
})
