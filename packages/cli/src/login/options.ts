import type { OptionTable } from '../line/options.ts'

/** How to log in. */
export const loginOptions = {
  device: { type: 'flag', help: 'Log in on another device, with a code' },
  'no-browser': { type: 'flag', help: 'Print the page instead of opening the browser' },
  again: { type: 'flag', help: 'Log in even if there is a login' },
  scope: { type: 'list', value: 'scope', help: 'Ask for this too' },
  'client-id': {
    type: 'text',
    value: 'id',
    help: 'The client that the authorization server knows; otherwise one registers',
  },
  'client-secret-env': { type: 'text', value: 'NAME', help: 'The variable that holds the secret of the client' },
} as const satisfies OptionTable
