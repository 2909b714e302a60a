import { type ServerTool, ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Lease } from '../session/lease.ts'
import { type BrowserContext, type BrowserParts, describePage, onPage, pageOutput, sessionInput } from './on-page.ts'

export const tabsTool = (browser: BrowserParts): ServerTool<Lease> =>
  tool({
    name: 'browser_tabs',
    title: 'Tabs',
    description:
      'Lists the tabs of the session, opens a blank one, selects the one that the other tools use, or closes one. Windows that pages open are tabs, too.',
    // Tabs are the client's own; nothing outside of the session changes.
    annotations: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
    input: z.object({
      action: z.enum(['list', 'new', 'select', 'close']).default('list'),
      tab: z.int().min(1).optional().describe('For select and close; the current one if it is left out'),
      session: sessionInput,
    }),
    output: z.object({
      ...pageOutput,
      tabs: z.array(z.object({ tab: z.int(), url: z.string(), title: z.string(), current: z.boolean() })),
    }),
    run: ({ action, tab: id, session }, ctx: BrowserContext) =>
      onPage(browser, ctx, session, async ({ tabs, tab: current }) => {
        if (action === 'new') await tabs.open()
        if (action === 'close') await tabs.close(id ?? current.id)
        if (action === 'select') {
          if (id === undefined) throw new ToolError('Expected "tab", the number of the tab to select.')
          await tabs.select(id).page.bringToFront()
        }
        // Another one is selected if the current tab was closed, or opened if it was the last.
        await tabs.current()
        const listed = await Promise.all(
          tabs.all().map(async (tab) => ({ ...(await describePage(tab)), current: tabs.isCurrent(tab) })),
        )
        const lines = listed.map(
          (one) => `${one.current ? '→' : ' '} ${one.tab}: ${one.title || '(no title)'} ${one.url}`,
        )
        return { text: lines.join('\n'), structured: { tabs: listed } }
      }),
  })
