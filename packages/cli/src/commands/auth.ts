import { command } from '../command.ts'
import { usage } from '../exit.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import { loginOptions } from '../login/options.ts'
import { connectionOptions } from '../server/options.ts'

export default command({
  name: 'auth',
  summary: 'Log in to servers, see logins, log out',
  usage: ['login <target> [options]', 'status [target]', 'logout <target>'],
  details:
    'Tokens are kept in the keychain, or in a file that only you can read, and used by every command. They are renewed by themselves. Without a terminal no browser is opened: the page is printed.',
  examples: [
    { line: 'tenon auth login https://example.com/mcp', shows: 'in the browser' },
    { line: 'tenon auth login https://example.com/mcp --device', shows: 'on another device, with a code' },
    { line: 'tenon auth status', shows: 'all logins: where they come from, what they allow, until when' },
    { line: 'tenon auth logout https://example.com/mcp', shows: 'and the authorization server is told' },
  ],
  options: { ...loginOptions, ...connectionOptions },
  run: async (call) => {
    const [name, ...words] = call.words
    const { login, logout, status } = await import('../login/actions.ts')
    const actions = new Map([
      ['login', login],
      ['status', status],
      ['logout', logout],
    ])
    const action = actions.get(name ?? '')
    if (action) return await action(call, words)
    throw usage(
      name === undefined ? 'Expected login, status or logout' : `Unknown action ${JSON.stringify(name)}`,
      didYouMean(name ?? '', actions.keys()) ?? 'For example: tenon auth login https://example.com/mcp',
    )
  },
})
