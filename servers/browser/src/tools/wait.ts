import { type ServerTool, ToolError, tool } from '@tenon/sdk/server'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { Lease } from '../session/lease.ts'
import { failure, seeSnapshot } from './failure.ts'
import { type BrowserContext, type BrowserParts, onPage, pageOutput, sessionInput } from './on-page.ts'
import { locate, targetInput } from './target.ts'

const input = z.object({
  ...targetInput,
  state: z.enum(['visible', 'hidden', 'attached', 'detached']).default('visible').describe('Of the element or text'),
  text: z.string().min(1).max(1_000).optional().describe('A text on the page'),
  url: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe('An address with * for anything, such as https://example.com/*'),
  load: z.enum(['load', 'domcontentloaded', 'networkidle']).optional().describe('How far the page has to be'),
  seconds: z.number().min(0).max(60).optional().describe('A time to wait, if nothing else tells'),
  timeout_seconds: z.number().min(0.1).max(120).default(30),
  session: sessionInput,
})

export const waitTool = (browser: BrowserParts): ServerTool<Lease> =>
  tool({
    name: 'browser_wait',
    title: 'Wait',
    description:
      'Waits until an element or text appears or goes, the address is another, or the page is loaded; name one of them.',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    input,
    output: z.object({ ...pageOutput, waited_ms: z.int() }),
    run: ({ session, ...wanted }, ctx: BrowserContext) =>
      onPage(browser, ctx, session, async ({ page }) => {
        const start = performance.now()
        const timer = setInterval(() => void ctx.progress(performance.now() - start, undefined, 'ms waited'), 1_000)
        try {
          await waitFor(page, wanted, ctx.signal)
        } catch (error) {
          throw failure('wait', error, ctx.signal, seeSnapshot)
        } finally {
          clearInterval(timer)
        }
        const waited = Math.round(performance.now() - start)
        return { text: `Waited ${waited} ms.`, structured: { waited_ms: waited } }
      }),
  })

async function waitFor(
  page: Page,
  { selector, ref, state, text, url, load, seconds, timeout_seconds }: Omit<z.output<typeof input>, 'session'>,
  signal: AbortSignal,
): Promise<void> {
  const options = { timeout: timeout_seconds * 1_000, signal }
  const given = [selector, ref, text, url, load, seconds].filter((one) => one !== undefined)
  if (given.length !== 1) throw new ToolError('Expected one of "selector", "ref", "text", "url", "load" and "seconds".')
  if (text !== undefined)
    await page
      .getByText(text)
      .first()
      .waitFor({ state, ...options })
  else if (url !== undefined) await page.waitForURL((now) => matches(url, now.href), options)
  else if (load !== undefined) await page.waitForLoadState(load, options)
  else if (seconds !== undefined) await pause(seconds * 1_000, signal)
  else await locate(page, { selector, ref }).waitFor({ state, ...options })
}

/** Compares an address with a pattern, part by part: a pattern cannot take more than linear time. */
function matches(pattern: string, address: string): boolean {
  const parts = pattern.split('*')
  if (parts.length === 1) return address === pattern
  const last = parts.pop()!
  let place = 0
  for (const [index, part] of parts.entries()) {
    const found = address.indexOf(part, place)
    if (found < 0 || (index === 0 && found > 0)) return false
    place = found + part.length
  }
  return address.length - last.length >= place && address.endsWith(last)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      signal.removeEventListener('abort', cancel)
      resolve()
    }
    function cancel(): void {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', cancel, { once: true })
  })
}
