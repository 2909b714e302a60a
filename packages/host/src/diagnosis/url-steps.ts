import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { type HttpReply, lookAtAuth, lookAtHttp, lookAtWellKnown } from './http-findings.ts'
import { type Finding, failed, ok, type Step, warned } from './step.ts'

const patienceMs = 5_000

/** A server at an address, and the ways of the client that looks at it. */
export interface AddressSubject {
  url: string
  headers?: { readonly [name: string]: string } | undefined
  /** The hint for a server that asks for credentials, if the client can log in; otherwise the headers hold them. */
  loginHint?: string | undefined
  /** The authorities to trust, in addition to those of the system, as PEM; and whether any certificate is taken. */
  tls?: { ca?: readonly string[] | undefined; rejectUnauthorized?: boolean | undefined } | undefined
}

/** The steps to a server at a URL, up to its reply to a request: each needs the one before. */
export function urlSteps(subject: AddressSubject): Step[] {
  const url = new URL(subject.url)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = url.protocol === 'https:' || url.protocol === 'wss:'
  const port = Number(url.port || (secure ? 443 : 80))
  const overHttp = url.protocol.startsWith('http')
  const http = new Map<'reply', HttpReply>()
  const steps: Step[] = [
    { name: 'url', title: 'Address', run: () => lookAtUrl(url) },
    { name: 'dns', title: 'Name', run: () => lookAtName(host) },
    { name: 'tcp', title: 'Connection', run: () => lookAtPort(host, port) },
    { name: 'tls', title: 'Encryption', run: () => lookAtTls(host, port, subject) },
    { name: 'http', title: 'HTTP', run: () => lookAtHttp(subject, http) },
    {
      name: 'well-known',
      title: 'Authorization metadata',
      run: () => lookAtWellKnown(url, http.get('reply'), subject),
    },
    { name: 'auth', title: 'Authorization', run: () => lookAtAuth(subject, http.get('reply')) },
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

function lookAtTls(host: string, port: number, { tls: trust = {} }: AddressSubject): Promise<Finding> {
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? { servername: host } : {}
    const socket: TLSSocket = connectTls({
      host,
      port,
      timeout: patienceMs,
      rejectUnauthorized: false,
      ...servername,
      ...(trust.ca && { ca: [...trust.ca] }),
    })
    const end = (finding: Finding): void => {
      socket.destroy()
      resolve(finding)
    }
    socket.once('secureConnect', () => end(judgeCertificate(socket, trust.rejectUnauthorized !== false)))
    socket.once('timeout', () => end(failed('The TLS handshake takes too long', 'Is this port meant for https?')))
    socket.once('error', (error) => end(failed(`No TLS: ${error.message}`, 'Is this port meant for https?')))
  })
}

function judgeCertificate(socket: TLSSocket, isChecked: boolean): Finding {
  const { subject, valid_to: until } = socket.getPeerCertificate()
  const about = `${socket.getProtocol()}, certificate for ${[subject?.CN].flat().join(', ') || 'nobody'} until ${until}`
  if (socket.authorized) return ok(about)
  const why = `The certificate is not trusted: ${socket.authorizationError} (${about})`
  if (!isChecked) return warned(why, 'It is taken all the same, as you asked.')
  return failed(why, 'Renew it, or trust its authority with NODE_EXTRA_CA_CERTS.')
}
