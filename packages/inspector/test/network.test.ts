import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp, get as getHttp, type Server } from 'node:http'
import { createServer as createHttps, get as getHttps } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { fromRaw, toRaw } from '../src/kept/entry.ts'
import type { UrlSpec } from '../src/protocol.ts'
import { clientFeatures, hostPresets } from '../src/servers/client-features.ts'
import { connectOptionsOf, withoutFeatures } from '../src/servers/connect-options.ts'
import { agentFor } from '../src/servers/http-agent.ts'
import { readSpec } from '../src/servers/read-spec.ts'
import { selfSigned } from './troubled.suite.ts'

const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const base: UrlSpec = { kind: 'url', name: 'far', url: 'https://localhost/mcp' }

describe('a proxy and an authority', requires('openssl'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-network-'))
  const ca = join(folder, 'ca.pem')
  const tunnels: string[] = []
  const servers: Server[] = []
  let [secure, plain, proxy, grumpy] = [0, 0, 0, 0]

  beforeAll(async () => {
    const pair = selfSigned()
    writeFileSync(ca, pair.cert)
    const answer = (_request: object, response: { end(text: string): void }): void => response.end('reached')
    const tunnel = createHttp().on('connect', ({ url = '' }, socket) => {
      tunnels.push(url)
      const far = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        far.pipe(socket).pipe(far)
      })
      for (const end of [far, socket]) end.on('error', () => socket.destroy())
    })
    const refuses = createHttp().on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Who are you\r\n\r\n'))
    servers.push(createHttps(pair, answer), createHttp(answer), tunnel, refuses)
    ;[secure, plain, proxy, grumpy] = (await Promise.all(servers.map(portOf))) as [number, number, number, number]
  })
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(folder, { recursive: true })
  })

  const fetched = (spec: UrlSpec): Promise<string> =>
    new Promise((resolve, reject) => {
      const agent = agentFor(spec)!
      const get = spec.url.startsWith('https') ? getHttps : getHttp
      get(spec.url, { agent }, (response) => {
        response.setEncoding('utf8').on('data', (text) => {
          agent.destroy()
          resolve(text)
        })
      }).on('error', reject)
    })

  test('requests go through the proxy, and an own authority is trusted', async () => {
    const through = { ...base, proxy: `http://127.0.0.1:${proxy}`, ca }
    expect(await fetched({ ...through, url: `https://localhost:${secure}/` })).toBe('reached')
    expect(await fetched({ ...through, url: `http://localhost:${plain}/` })).toBe('reached')
    expect(tunnels).toEqual([`localhost:${secure}`, `localhost:${plain}`])
    expect(await fetched({ ...base, ca, url: `https://localhost:${secure}/` })).toBe('reached')
  })

  test('without the authority, or with a proxy that refuses, the failure says so', async () => {
    const url = `https://localhost:${secure}/`
    await expect(fetched({ ...base, url, proxy: `http://127.0.0.1:${proxy}` })).rejects.toThrow('self-signed')
    await expect(fetched({ ...base, url, proxy: `http://127.0.0.1:${grumpy}` })).rejects.toThrow(
      `The proxy 127.0.0.1:${grumpy} refused a connection to localhost:${secure} with 407`,
    )
    expect(() => agentFor({ ...base, ca: join(folder, 'none.pem') })).toThrow('cannot be read')
    writeFileSync(join(folder, 'empty.pem'), 'no certificate')
    expect(() => agentFor({ ...base, ca: join(folder, 'empty.pem') })).toThrow('has no certificate')
  })
})

describe('settings of a server', () => {
  const spec = {
    ...base,
    prefer: 'session',
    timeoutMs: 5_000,
    proxy: 'http://127.0.0.1:8080',
    ca: '/etc/ca.pem',
    client: { host: 'cursor', name: 'cursor-vscode', version: '1.0.0', without: ['sampling', 'apps'] },
  } satisfies UrlSpec & { client: object }

  test('are read, and come back from the list as they were', () => {
    expect(readSpec(spec)).toEqual(spec)
    expect(fromRaw({ ...toRaw({ id: 'a', spec, atStart: false }, []) }).spec).toEqual(spec)
  })

  test.each([
    [{ prefer: 'oldest' }, 'prefer'],
    [{ proxy: 'socks://127.0.0.1' }, 'proxy: expected an http or https URL'],
    [{ proxy: 'http://me:secret@127.0.0.1' }, 'proxy: a user and a password cannot be given'],
    [{ url: 'wss://localhost', proxy: 'http://127.0.0.1' }, 'WebSocket'],
    [{ ca: 'ca.pem' }, 'ca: expected a whole path'],
    [{ client: { host: 'constructor' } }, 'host'],
    [{ client: { without: ['everything'] } }, 'feature'],
    [{ client: [] }, 'client: expected an object'],
  ])('%j is refused', (part, problem) => {
    expect(() => readSpec({ ...base, ...part })).toThrow(problem)
  })

  test('say how the client presents itself', () => {
    expect(connectOptionsOf({ ...spec, ca: undefined, proxy: undefined } as never)).toMatchObject({
      info: { name: 'cursor-vscode', version: '1.0.0' },
      prefer: 'session',
      timeoutMs: 5_000,
    })
    const handler = async () => ({ action: 'decline' }) as const
    const all = {
      roots: [],
      sample: async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: '' } }) as const,
      elicit: { form: handler, url: handler },
      capabilities: { extensions: {} },
    }
    expect(withoutFeatures(all, [...clientFeatures])).toEqual({ elicit: {}, tasks: false })
    expect(withoutFeatures(all, ['elicitation-url'])).toEqual({ ...all, elicit: { form: handler } })
    expect(withoutFeatures(all)).toBe(all)
    for (const { name, version, without } of hostPresets.values()) {
      expect(readSpec({ ...base, client: { name, version, without } })).toMatchObject({
        client: { name, version, without },
      })
    }
  })
})
