import type { Channel } from '../../jsonrpc/channel.ts'
import { type ClientSettings, callListener } from '../options.ts'
import type { Opener } from './target.ts'

/** An opener whose channels, the first and those after a restart, report every message to `onMessage`. */
export function withTrafficListener(opener: Opener, { onMessage, report }: ClientSettings): Opener {
  if (onMessage === undefined) return opener
  const open = async (): Promise<Channel> => {
    const { tap } = await import('../../transport/tap.ts')
    return tap(await opener.open(), 'client', (event) => callListener(report, onMessage, event))
  }
  return { ...opener, open }
}
