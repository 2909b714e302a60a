import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { startProxy } from './start-proxy.ts'

const program = fileURLToPath(new URL('../bin/tenon-fetch.js', import.meta.url))

/** A key and a certificate for `localhost`. */
function certificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fetch-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', cert]
  spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files])
  return { key, cert }
}

test('https: certificates are checked, directly and behind a proxy', requires('openssl'), async () => {
  const { key, cert } = certificate()
  const site = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end('<p>over TLS</p>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  await using proxy = await startProxy(port)
  const fetchPage = async (args: string[], env: { [name: string]: string }, host = 'localhost') => {
    const flags = ['--allow-private-ips', '--read-timeout', '60s', ...args]
    await using client = await connect({ command: process.execPath, args: [program, ...flags], env })
    return (await client.callTool('fetch', { url: `https://${host}:${port}/` })).text
  }
  const trusted = { NODE_EXTRA_CA_CERTS: cert }
  expect(await fetchPage([], trusted)).toContain('over TLS')
  expect(await fetchPage(['--proxy-url', proxy.url], trusted)).toContain('over TLS')
  expect(proxy.seen).toEqual([`CONNECT localhost:${port}`, `CONNECT localhost:${port}`])
  expect(await fetchPage([], {})).toContain('certificate of the host is not valid')
  expect(await fetchPage(['--proxy-url', proxy.url], {})).toContain('certificate of the host is not valid')
  expect(await fetchPage([], trusted, '127.0.0.1')).toContain('certificate of the host is not valid')
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})
