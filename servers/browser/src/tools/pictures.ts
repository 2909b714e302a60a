import { image, resourceLink, type ServerTool, ToolError, text, tool } from '@tenon/sdk/server'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { fileUri } from '../file-uri.ts'
import type { Lease } from '../session/lease.ts'
import { within } from '../session/within.ts'
import { failure } from './failure.ts'
import { type BrowserContext, type BrowserParts, onPage, pageOutput, sessionInput } from './on-page.ts'
import { locate, nameOf, targetInput } from './target.ts'

const maxImageBytes = 5_000_000
const maxPdfBytes = 20_000_000

const reads = { readOnly: true, destructive: false, idempotent: true, openWorld: true } as const

const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'expected a name without control characters')

/** Parts of a pixel are dropped. */
const pixels = z.number().min(1).max(4_000)

const output = z.object({ ...pageOutput, uri: z.string().describe('The resource that has it'), bytes: z.int() })

export const screenshotTool = (browser: BrowserParts): ServerTool<Lease> =>
  tool({
    name: 'puppeteer_screenshot',
    title: 'Take a screenshot',
    description: 'Take a screenshot of the current page or a specific element',
    annotations: reads,
    input: z.object({
      name: name.describe('Name for the screenshot'),
      ...targetInput,
      width: pixels.default(800).describe('Width in pixels (default: 800)'),
      height: pixels.default(600).describe('Height in pixels (default: 600)'),
      encoded: z
        .boolean()
        .default(false)
        .describe(
          'If true, capture the screenshot as a base64-encoded data URI (as text) instead of binary image content. Default false.',
        ),
      fullPage: z.boolean().default(false).describe('The whole page, as far down as it goes'),
      session: sessionInput,
    }),
    output,
    run: ({ name, width, height, encoded, fullPage, session, ...target }, ctx: BrowserContext) =>
      onPage(browser, ctx, session, async ({ page, session: used }) => {
        // The page as it is, without the work to hide the caret.
        const options = { timeout: browser.settings().timeout, signal: ctx.signal, caret: 'initial' } as const
        const isElement = target.selector !== undefined || target.ref !== undefined
        let data: Buffer
        try {
          await resize(page, Math.floor(width), Math.floor(height))
          if (isElement && (await locate(page, target).count()) === 0) {
            throw new ToolError(`Element not found: ${nameOf(target)}`)
          }
          data = await (isElement
            ? locate(page, target).screenshot(options)
            : page.screenshot({ ...options, fullPage }))
        } catch (error) {
          throw failure('take a screenshot', error, ctx.signal)
        }
        if (data.length > maxImageBytes) {
          throw new ToolError(
            `The screenshot has ${data.length} bytes, and ${maxImageBytes} are allowed. Take one of an element, or a smaller one.`,
          )
        }
        used.files.keep({ name, mimeType: 'image/png', data })
        return {
          text: `Screenshot '${name}' taken at ${width}x${height}`,
          blocks: [encoded ? text(`data:image/png;base64,${data.toString('base64')}`) : image(data, 'image/png')],
          structured: { uri: fileUri('image/png', name), bytes: data.length },
        }
      }),
  })

async function resize(page: Page, width: number, height: number): Promise<void> {
  const now = page.viewportSize()
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height })
}

export const pdfTool = (browser: BrowserParts): ServerTool<Lease> =>
  tool({
    name: 'browser_pdf',
    title: 'Print as PDF',
    description: 'Prints the current page as a PDF, which is then a resource of this server. Not with --headed.',
    annotations: reads,
    input: z.object({
      name: name.describe('Name for the PDF'),
      format: z.enum(['A4', 'A3', 'A5', 'Letter', 'Legal', 'Tabloid']).default('A4'),
      landscape: z.boolean().default(false),
      background: z.boolean().default(true).describe('Print colours and images of backgrounds'),
      session: sessionInput,
    }),
    output,
    run: ({ name, format, landscape, background, session }, ctx: BrowserContext) =>
      onPage(browser, ctx, session, async ({ page, session: used }) => {
        let data: Buffer
        try {
          const printing = page.pdf({ format, landscape, printBackground: background })
          const { timeout } = browser.settings()
          data = await within(timeout, ctx.signal, printing, () => new Error(`no PDF within ${timeout} ms`))
        } catch (error) {
          throw failure('print the page', error, ctx.signal)
        }
        if (data.length > maxPdfBytes) {
          throw new ToolError(`The PDF has ${data.length} bytes, and ${maxPdfBytes} are allowed.`)
        }
        used.files.keep({ name, mimeType: 'application/pdf', data })
        const uri = fileUri('application/pdf', name)
        return {
          text: `PDF '${name}' has ${data.length} bytes. Read it as the resource ${uri}`,
          blocks: [resourceLink({ uri, name, mimeType: 'application/pdf', size: data.length })],
          structured: { uri, bytes: data.length },
        }
      }),
  })
