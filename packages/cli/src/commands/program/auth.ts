import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { didYouMean } from '../../line/did-you-mean.ts'
import { loginOptions } from '../../login/options.ts'
import { connectionOptions } from '../../server/options.ts'

export default command({
  name: 'auth',
  summary: 'Log in to servers, see logins, log out',
  usage: ['login <target> [options]', 'status [target]', 'logout <target>'],
  details:
    'Tokens are stored in the keychain, or in a file that only you can read; every command uses and renews them. Without a terminal no browser is opened: the page is printed.',
  examples: [
    { line: 'tenon auth login https://example.com/mcp', shows: 'in the browser' },
    { line: 'tenon auth login https://example.com/mcp --device', shows: 'on another device, with a code' },
    { line: 'tenon auth status', shows: 'all logins with issuer, scopes and expiry' },
    { line: 'tenon auth logout https://example.com/mcp', shows: 'and revoke its tokens' },
  ],
  options: { ...loginOptions, ...connectionOptions },
  run: async (call) => {
    const [name, ...words] = call.words
    const { login, logout, status } = await import('../../login/actions.ts')
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
