import { type ContentBlock, type RequestContext, ToolResult, text } from '@tenon/sdk/server'
import type { NetworkPolicy } from '@tenon/server-kit/network'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { FullSettings } from '../browser-settings.ts'
import { shortened } from '../session/journal.ts'
import type { Lease } from '../session/lease.ts'
import type { Session } from '../session/session.ts'
import type { Sessions } from '../session/sessions.ts'
import type { Tab, Tabs } from '../session/tabs.ts'

/** The parts of the server that tools use. */
export interface BrowserParts {
  readonly sessions: Sessions
  readonly settings: () => FullSettings
  readonly policy: () => NetworkPolicy
}

export type BrowserContext = RequestContext<Lease>

export const sessionInput: z.ZodOptional<z.ZodString> = z
  .string()
  .max(64)
  .optional()
  .describe('The "session" of an earlier result. Leave it out unless a result says that the session is new each time')

export const pageOutput: {
  session: z.ZodString
  tab: z.ZodInt
  url: z.ZodString
  title: z.ZodString
  notes: z.ZodOptional<z.ZodArray<z.ZodString>>
} = {
  session: z.string().describe('Of this client: tabs, cookies and storage'),
  tab: z.int(),
  url: z.string(),
  title: z.string(),
  notes: z.array(z.string()).optional().describe('Events since the last call: crashes, downloads, closed windows'),
}

/** The part of a result that is about the call itself. */
export interface Outcome {
  readonly text: string
  readonly blocks?: readonly ContentBlock[]
  readonly structured?: { readonly [name: string]: unknown } | undefined
}

/** The page that a call is about. */
export interface Place {
  readonly tab: Tab
  readonly page: Page
  readonly tabs: Tabs
  readonly session: Session
}

/** Does something with the current tab of the caller's session, and describes the page afterwards. */
export async function onPage(
  { sessions }: BrowserParts,
  ctx: BrowserContext,
  sessionId: string | undefined,
  work: (place: Place) => Promise<Outcome>,
): Promise<ToolResult> {
  const session = await sessions.findOrBegin(ctx.caller, sessionId)
  return session.use(ctx.signal, async (tabs) => {
    const tab = await tabs.current()
    const outcome = await work({ tab, page: tab.page, tabs, session })
    // The call may have opened, selected or closed tabs.
    const shown = await tabs.current()
    const notes = session.takeNotes()
    return new ToolResult({
      content: [text(outcome.text), ...(outcome.blocks ?? []), ...notes.map((note) => text(note))],
      structured: {
        session: session.id,
        ...(await describePage(shown)),
        ...(notes.length > 0 && { notes }),
        ...outcome.structured,
      },
    })
  })
}

export async function describePage({ id, page }: Tab): Promise<{ tab: number; url: string; title: string }> {
  return { tab: id, url: shortened(page.url()), title: shortened(await titleOf(page), 500) }
}

/** The title, unless a script keeps the page too busy to tell it. */
async function titleOf(page: Page): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, 2_000, '')
  })
  try {
    return await Promise.race([page.title().catch(() => ''), late])
  } finally {
    clearTimeout(timer)
  }
}
