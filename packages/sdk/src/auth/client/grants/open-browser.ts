import { McpError } from '../../../errors.ts'
import { builtin } from '../../../internal/builtin.ts'
import { isWebUrl } from '../../../internal/web-url.ts'

/** Shows a page to the user. */
export type OpenBrowser = (page: URL) => unknown

// Each takes the URL as one argument, and none is a shell (sec.authurl.no-shell): a URL is not a command.
const openers: ReadonlyMap<string, readonly string[]> = new Map([
  ['darwin', ['open']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
])

/** Opens the browser of the system. Only http and https: other schemes start other programs. */
export const openBrowser: OpenBrowser = (page) => {
  if (!isWebUrl(page.href))
    throw new McpError('invalid_argument', `Only http and https are opened, not ${page.protocol}`)
  const processes = builtin('node:child_process')
  if (processes === undefined) {
    throw new McpError('unsupported', 'There is no browser to open: give `redirect` or `openBrowser`')
  }
  const [command, ...args] = openers.get(process.platform) ?? ['xdg-open']
  return new Promise<void>((resolve, reject) => {
    const child = processes.spawn(command!, [...args, page.href], { stdio: 'ignore', detached: true, shell: false })
    child.once('error', (cause) => {
      reject(
        new McpError(
          'unsupported',
          `The browser could not be opened with ${command}: give \`openBrowser\`, or use deviceCode`,
          { cause },
        ),
      )
    })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
