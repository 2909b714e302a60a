/** Module hooks in the process of a server: report the files that it loads. */
import type { InitializeHook, LoadHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import { writeRunnerMessage } from './runner-messages.ts'

let prefix = ''

export const initialize: InitializeHook<string> = (given) => {
  prefix = given
}

export const load: LoadHook = (url, context, nextLoad) => {
  // Before it is read: a file that does not compile is one to wait for.
  if (url.startsWith('file:') && !url.includes('/node_modules/')) {
    writeRunnerMessage(prefix, { kind: 'loaded', file: fileURLToPath(url.replace(/[?#].*$/, '')) })
  }
  return nextLoad(url, context)
}
