import { join } from 'node:path'
import type { ConnectOptions } from '@tenon/sdk/client'
import { configFolder } from '../config/folder.ts'
import type { ResolvedTarget } from '../server/target.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { visibleLine } from '../terminal/visible.ts'

/** Lets the user log in when a server at a URL asks for it, unless the command line or a file says how. */
export async function withLogin({ url, options }: ResolvedTarget, terminal: Terminal): Promise<ConnectOptions> {
  const given = options.auth !== undefined || typeof options.headers === 'function' || hasToken(options.headers)
  if (url === undefined || given || !url.protocol.startsWith('http')) return options
  const { authorizationCode, fileLock, fileStore, loopbackRedirect, oauth, openBrowser } = await import(
    '@tenon/sdk/auth'
  )
  const folder = configFolder(terminal.surroundings.env)
  const show = (page: URL): unknown => {
    terminal.warn(`Log in to ${url.host}: ${visibleLine(page.href)}`)
    return openBrowser(page)
  }
  const auth = oauth({
    registration: { client_name: 'Tenon' },
    grant: authorizationCode({ redirect: loopbackRedirect({ openBrowser: show }) }),
    store: fileStore(join(folder, 'tokens.json')),
    lock: fileLock(folder),
    onWarning: (message) => terminal.note(visibleLine(message)),
  })
  return { ...options, auth }
}

const hasToken = (headers: ConnectOptions['headers']): boolean =>
  Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
