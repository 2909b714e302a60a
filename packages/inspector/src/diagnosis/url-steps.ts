import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { UrlSpec } from '../protocol.ts'
import { lookAtAuth, lookAtHttp, lookAtWellKnown } from './http-findings.ts'
import { lookAtRevision } from './revision-finding.ts'
import { type Finding, failed, ok, type Step, warned } from './step.ts'

const patienceMs = 5_000

/** The steps to a server at a URL: each needs the one before. */
export function urlSteps(spec: UrlSpec): Step[] {
  const url = new URL(spec.url)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = url.protocol === 'https:' || url.protocol === 'wss:'
  const port = Number(url.port || (secure ? 443 : 80))
  const overHttp = url.protocol.startsWith('http')
  const http = new Map<'reply', Response>()
  const steps: Step[] = [
    { name: 'url', title: 'Address', run: () => lookAtUrl(url) },
    { name: 'dns', title: 'Name', run: () => lookAtName(host) },
    { name: 'tcp', title: 'Connection', run: () => lookAtPort(host, port) },
    { name: 'tls', title: 'Encryption', run: () => lookAtTls(host, port) },
    { name: 'http', title: 'HTTP', run: () => lookAtHttp(spec, http) },
    { name: 'well-known', title: 'Authorization metadata', run: () => lookAtWellKnown(url, http.get('reply')) },
    { name: 'auth', title: 'Authorization', run: () => lookAtAuth(spec, http.get('reply')) },
    { name: 'version', title: 'Revision', run: () => lookAtRevision(spec) },
  ]
  const unneeded = new Set<unknown>([isIP(host) !== 0 && 'dns', !secure && 'tls', !overHttp && 'http'])
  return steps.filter(({ name }) => !unneeded.has(name))
}

function lookAtUrl(url: URL): Finding {
  if (url.username !== '' || url.password !== '') {
    return failed('The URL contains a user name or a password', 'Give an Authorization header instead.')
  }
  if (url.protocol === 'http:' && !isLocal(url.hostname)) {
    return warned(`${url.origin} is not encrypted`, 'Use https, unless the network can be trusted.')
  }
  return ok(url.origin)
}

const isLocal = (host: string): boolean => host === 'localhost' || host.startsWith('127.') || host === '[::1]'

async function lookAtName(host: string): Promise<Finding> {
  try {
    const addresses = await lookup(host, { all: true })
    return ok(addresses.map(({ address }) => address).join(', '))
  } catch (error) {
    return failed(
      `${host} has no address (${(error as NodeJS.ErrnoException).code})`,
      'Check the spelling, or the network.',
    )
  }
}

const tcpHints: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'Nothing listens there. Is the server running, and on this port?'],
  ['ETIMEDOUT', 'Nobody answers. A firewall may be in between.'],
  ['EHOSTUNREACH', 'There is no way to this machine from here.'],
])

function lookAtPort(host: string, port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port, timeout: patienceMs })
    const end = (finding: Finding): void => {
      socket.destroy()
      resolve(finding)
    }
    const fail = (code: string): void =>
      end(failed(`Port ${port} of ${host} cannot be reached (${code})`, tcpHints.get(code) ?? 'Check host and port.'))
    socket.once('connect', () => end(ok(`${socket.remoteAddress} port ${port}`)))
    socket.once('timeout', () => fail('ETIMEDOUT'))
    socket.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
  })
}

function lookAtTls(host: string, port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? { servername: host } : {}
    const socket: TLSSocket = connectTls({ host, port, timeout: patienceMs, rejectUnauthorized: false, ...servername })
    const end = (finding: Finding): void => {
      socket.destroy()
      resolve(finding)
    }
    socket.once('secureConnect', () => end(judgeCertificate(socket)))
    socket.once('timeout', () => end(failed('The TLS handshake takes too long', 'Is this port meant for https?')))
    socket.once('error', (error) => end(failed(`No TLS: ${error.message}`, 'Is this port meant for https?')))
  })
}

function judgeCertificate(socket: TLSSocket): Finding {
  const { subject, valid_to: until } = socket.getPeerCertificate()
  const about = `${socket.getProtocol()}, certificate for ${[subject?.CN].flat().join(', ') || 'nobody'} until ${until}`
  if (socket.authorized) return ok(about)
  const why = String(socket.authorizationError)
  return failed(
    `The certificate is not trusted: ${why} (${about})`,
    'Renew it, or trust its authority with NODE_EXTRA_CA_CERTS.',
  )
}
