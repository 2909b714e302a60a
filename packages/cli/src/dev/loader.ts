/** Module hooks in the process of a server: tell which files it is made of. */
import type { InitializeHook, LoadHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import { writeMark } from './marks.ts'

let word = ''

export const initialize: InitializeHook<string> = (given) => {
  word = given
}

export const load: LoadHook = (url, context, nextLoad) => {
  // Before it is read: a file that does not compile is one to wait for.
  if (url.startsWith('file:') && !url.includes('/node_modules/')) {
    writeMark(word, { kind: 'loaded', file: fileURLToPath(url.replace(/[?#].*$/, '')) })
  }
  return nextLoad(url, context)
}
