import { type ServerTool, ToolError, tool } from '@tenon/sdk/server'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { shortened } from '../session/journal.ts'
import type { Lease } from '../session/lease.ts'
import { within } from '../session/within.ts'
import { type BrowserContext, type BrowserParts, onPage, pageOutput, sessionInput } from './on-page.ts'

const maxResult = 100_000

/** Runs scripts in the page; there only if the operator wants it. */
export const evaluateTool = (browser: BrowserParts): ServerTool<Lease> =>
  tool({
    name: 'puppeteer_evaluate',
    title: 'Run a script',
    description: 'Execute JavaScript in the browser console',
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    input: z.object({
      script: z.string().min(1).max(100_000).describe('JavaScript code to execute'),
      session: sessionInput,
    }),
    output: z.object({
      ...pageOutput,
      result: z.string().describe('As JSON; undefined if the script has no value'),
      console: z.array(z.string()),
    }),
    run: ({ script, session }, ctx: BrowserContext) =>
      onPage(browser, ctx, session, async ({ page, session: used }) => {
        const before = used.console.total
        const value = await runScript(page, script, browser.settings().timeout, ctx.signal)
        const result = shortened(String(JSON.stringify(value, null, 2)), maxResult)
        const lines = used.console.since(before)
        return {
          text: `Execution result:\n${result}\n\nConsole output:\n${lines.join('\n')}`,
          structured: { result, console: lines },
        }
      }),
  })

/** A script that never ends keeps its page busy, but not the call. */
async function runScript(page: Page, script: string, ms: number, signal: AbortSignal): Promise<unknown> {
  const advice = 'If the page does not answer any more, close its tab with browser_tabs.'
  try {
    return await within(ms, signal, page.evaluate(script), () => new Error(`it did not end within ${ms} ms. ${advice}`))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const reason = shortened((error as Error).message.replace(/^page\.evaluate: /, ''), 1_000)
    throw new ToolError(`Script execution failed: ${reason}`)
  }
}
