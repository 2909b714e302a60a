import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Lease } from '../session/lease.ts'
import { type BrowserContext, type BrowserParts, onPage, pageOutput, sessionInput } from './on-page.ts'

export const downloadsTool = (browser: BrowserParts): ServerTool<Lease> =>
  tool({
    name: 'browser_downloads',
    title: 'Downloads',
    description: 'Lists the downloads of the session: where each file is, or why it was refused.',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    input: z.object({ session: sessionInput }),
    output: z.object({
      ...pageOutput,
      downloads: z.array(
        z.object({
          name: z.string(),
          url: z.string(),
          state: z.enum(['running', 'done', 'failed']),
          bytes: z.int(),
          path: z.string().optional(),
          reason: z.string().optional(),
        }),
      ),
    }),
    run: ({ session }, ctx: BrowserContext) =>
      onPage(browser, ctx, session, async ({ session: used }) => {
        const downloads = await used.downloads()
        const lines = downloads.map(({ name, state, bytes, path, reason }) =>
          [name, state, `${bytes} bytes`, path ?? reason].filter((part) => part !== undefined).join(', '),
        )
        return { text: lines.join('\n') || 'None.', structured: { downloads: downloads.map((one) => ({ ...one })) } }
      }),
  })

export const closeTool = ({ sessions }: BrowserParts): ServerTool<Lease> =>
  tool({
    name: 'browser_close',
    title: 'Close the session',
    description: 'Closes the session with its tabs, cookies and storage. The next call begins another one.',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    input: z.object({ session: sessionInput }),
    output: z.object({ closed: z.boolean() }),
    run: async ({ session: id }, ctx: BrowserContext) => {
      const session = sessions.find(ctx.caller, id)
      if (session !== undefined) await sessions.end(session)
      const closed = session !== undefined
      return new ToolResult({
        content: closed ? 'The session is closed.' : 'There was no session.',
        structured: { closed },
      })
    },
  })
