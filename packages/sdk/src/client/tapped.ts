import { tap } from '../transport/tap.ts'
import { callListener, type Settings } from './options.ts'
import type { Opener } from './target.ts'

/** An opener whose channels, be they the first or those after a restart, tell what passes through them. */
export function tapped(opener: Opener, { onMessage, report }: Settings): Opener {
  if (onMessage === undefined) return opener
  const open = async () => tap(await opener.open(), 'client', (event) => callListener(report, onMessage, event))
  return { ...opener, open }
}
