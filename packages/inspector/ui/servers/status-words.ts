import type { ServerStatus, ServerView } from '../../src/protocol.ts'

/** The words for a status. */
export const serverStatusWords: { [Status in ServerStatus]: string } = {
  idle: 'not connected',
  connecting: 'connecting…',
  connected: 'connected',
  failed: 'failed',
  closed: 'ended',
}

/** How a server is reached, in one line. */
export function targetLine({ spec }: Pick<ServerView, 'spec'>): string {
  if (spec.kind === 'session') return 'a recorded session'
  return spec.kind === 'url' ? spec.url : [spec.command, ...(spec.args ?? [])].map(quote).join(' ')
}

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
