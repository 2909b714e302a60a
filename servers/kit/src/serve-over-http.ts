import { isIPv4 } from 'node:net'
import { type Authenticate, type HttpServer, type ServeHttpOptions, serveHttp } from '@tenon/sdk/node'
import type { AnyServer } from '@tenon/sdk/server'
import type { CommonSettings } from './common-settings.ts'
import { Misuse } from './misuse.ts'

/** Serves over HTTP as the settings say. Without authentication only this machine may reach it. */
export async function serveOverHttp(server: AnyServer, settings: CommonSettings): Promise<HttpServer> {
  const { host, port } = readAddress(settings.http!)
  const auth = await authentication(settings)
  if (auth === undefined && !isLoopback(host)) {
    throw new Misuse(`--http ${settings.http}: other machines can reach ${host}; add --token-file or --issuer`)
  }
  try {
    return await serveHttp(server, {
      host,
      port,
      path: '/mcp',
      ...(auth && { auth }),
      ...(settings.allowedHost.length > 0 && { allowedHosts: settings.allowedHost }),
      ...corsOptions(settings.cors),
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? `port ${port} is in use; choose another, or 0 for any` : message
    throw new Misuse(`--http ${settings.http}: ${reason}`)
  }
}

/** Pages of these origins may call and read; `*` is every page of the web. */
function corsOptions(given: readonly string[]): Pick<ServeHttpOptions, 'cors' | 'allowedOrigins'> {
  const origins = given.includes('*') ? '*' : given
  return given.length === 0 ? {} : { cors: { origins }, allowedOrigins: origins }
}

async function authentication({ tokenFile, issuer, url }: CommonSettings): Promise<Authenticate | undefined> {
  if (tokenFile !== undefined && issuer !== undefined) throw new Misuse('expected --token-file or --issuer, got both')
  if (tokenFile !== undefined) return (await import('./tokens.ts')).tokensFrom(tokenFile)
  if (issuer === undefined) return undefined
  const { bearer } = await import('@tenon/sdk/auth/server')
  try {
    return bearer({ issuer, ...(url !== undefined && { resource: url }) })
  } catch (error) {
    throw new Misuse(`--issuer: ${(error as Error).message}`)
  }
}

/** `3000`, `127.0.0.1:3000` or `[::1]:3000`. */
function readAddress(text: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (!(port <= 65_535)) throw new Misuse(`--http: expected [HOST:]PORT, got ${JSON.stringify(text)}`)
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
