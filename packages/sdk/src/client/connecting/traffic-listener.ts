import { tap } from '../../transport/tap.ts'
import { type ClientSettings, callListener } from '../options.ts'
import type { Opener } from './target.ts'

/** An opener whose channels, the first and those after a restart, report every message to `onMessage`. */
export function withTrafficListener(opener: Opener, { onMessage, report }: ClientSettings): Opener {
  if (onMessage === undefined) return opener
  const open = async () => tap(await opener.open(), 'client', (event) => callListener(report, onMessage, event))
  return { ...opener, open }
}
