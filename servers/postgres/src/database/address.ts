import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Misuse } from '@tenon/server-kit'

/** A database: a server, or a folder that this process opens itself. */
export type Address =
  | { readonly kind: 'server'; readonly url: string; readonly secrets: readonly string[] }
  | { readonly kind: 'folder'; readonly folder: string; readonly secrets: readonly string[] }

/** Reads the setting `database`. A mistake is told without the address: it may hold a password. */
export function readAddress(given: string | undefined): Address {
  if (given === undefined) return { kind: 'folder', folder: defaultFolder(), secrets: [] }
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(given)) return { kind: 'folder', folder: absolute(given), secrets: [] }
  if (!/^postgres(ql)?:\/\//i.test(given)) {
    throw new Misuse(`database: expected postgres://USER@HOST/NAME or a folder, got ${given.split(':')[0]}://…`)
  }
  const url = parseUrl(given)
  return { kind: 'server', url: given, secrets: secretsOf(url) }
}

function parseUrl(given: string): URL {
  try {
    const url = new URL(given)
    decodeURIComponent(url.password + url.username + url.pathname)
    return url
  } catch {
    throw new Misuse(
      'database: expected postgres://USER:PASSWORD@HOST:PORT/NAME, got a URL that cannot be read; write special characters of the password as %XX',
    )
  }
}

/** Everything in the address that must not be shown, as it is and as it is written. */
function secretsOf(url: URL): string[] {
  const named = ['password', 'sslpassword'].flatMap((name) => url.searchParams.getAll(name))
  const written = [url.password, ...named, process.env.PGPASSWORD ?? ''].filter((text) => text !== '')
  return [...new Set(written.flatMap((text) => [text, decoded(text), encodeURIComponent(text)]))]
}

/** A password of the environment need not be written as in URLs. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The start of the URIs of resources: the address without password, database and options, as the original has it. */
export function baseUriOf(address: Address): string {
  if (address.kind === 'folder') return 'postgres://embedded/'
  const { username, host } = new URL(address.url)
  return `postgres://${username === '' ? '' : `${username}@`}${host === '' ? 'localhost' : host}/`
}

const absolute = (given: string): string =>
  given === '~' || given.startsWith('~/') ? join(homedir(), given.slice(1)) : resolve(given)

/** The folder of the embedded database: where the system keeps data of the user's programs. */
function defaultFolder(): string {
  const { APPDATA, XDG_DATA_HOME } = process.env
  const folders: { [platform: string]: string } = {
    darwin: join(homedir(), 'Library', 'Application Support'),
    win32: APPDATA || join(homedir(), 'AppData', 'Roaming'),
  }
  const unix = XDG_DATA_HOME?.startsWith('/') ? XDG_DATA_HOME : join(homedir(), '.local', 'share')
  return join(folders[process.platform] ?? unix, 'tenon-postgres')
}
