import { type ServerTool, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Journal } from '../session/journal.ts'
import type { Lease } from '../session/lease.ts'
import type { Session } from '../session/session.ts'
import type { NetworkEntry } from '../session/watch-page.ts'
import { type BrowserContext, type BrowserParts, onPage, pageOutput, sessionInput } from './on-page.ts'

const reads = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const

const input = z.object({
  since: z.int().min(0).default(0).describe('Only entries from this number on; "total" of an earlier result'),
  limit: z.int().min(1).max(1_000).default(100).describe('Most entries to return; the latest ones'),
  filter: z.string().min(1).max(200).optional().describe('Only entries that contain this text'),
  session: sessionInput,
})

/** Entries of a journal, the latest ones that fit. */
function readJournal<T>(
  journal: Journal<T>,
  { since, limit, filter }: Omit<z.output<typeof input>, 'session'>,
  lineOf: (entry: T) => string,
): { entries: T[]; lines: string[]; total: number } {
  const entries = journal
    .since(since)
    .filter((entry) => filter === undefined || lineOf(entry).includes(filter))
    .slice(-limit)
  return { entries, lines: entries.map(lineOf), total: journal.total }
}

const entrySchema = z.object({
  time: z.string(),
  method: z.string(),
  url: z.string(),
  type: z.string(),
  status: z.int().optional(),
  ms: z.number().optional(),
  failure: z.string().optional(),
})

export const networkLine = ({ method, url, type, status, ms, failure }: NetworkEntry): string =>
  [method, url, `(${type})`, status, ms === undefined ? undefined : `${ms} ms`, failure]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

/** The console and the network of the session, for clients that do not read resources. */
export function journalTools(browser: BrowserParts): ServerTool<Lease>[] {
  return [
    tool({
      name: 'browser_console',
      title: 'Console',
      description: 'Returns what the pages of the session wrote to the console, with errors and dialogs.',
      annotations: reads,
      input,
      output: z.object({ ...pageOutput, lines: z.array(z.string()), total: z.int() }),
      run: ({ session, ...range }, ctx: BrowserContext) =>
        onPage(browser, ctx, session, async ({ session: used }) => {
          const { lines, total } = readJournal(used.console, range, (line) => line)
          return { text: lines.join('\n') || 'Nothing.', structured: { lines, total } }
        }),
    }),
    tool({
      name: 'browser_network',
      title: 'Network',
      description: 'Returns the requests of the pages of the session: status, time, failures and refusals.',
      annotations: reads,
      input,
      output: z.object({ ...pageOutput, requests: z.array(entrySchema), total: z.int() }),
      run: ({ session, ...range }, ctx: BrowserContext) =>
        onPage(browser, ctx, session, async ({ session: used }) => {
          const { entries, lines, total } = readJournal(used.network, range, networkLine)
          return { text: lines.join('\n') || 'None.', structured: { requests: entries, total } }
        }),
    }),
  ]
}

/** The whole journal of a session as text. */
export const consoleText = ({ console: lines }: Session): string => lines.since().join('\n')
export const networkText = ({ network }: Session): string => JSON.stringify(network.since(), null, 2)
