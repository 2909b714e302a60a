import { type ServerTool, type ToolResult, tool } from '@tenon/sdk/server'
import type { Locator } from 'playwright-core'
import { z } from 'zod'
import type { Lease } from '../session/lease.ts'
import { failure, seeSnapshot } from './failure.ts'
import { type BrowserContext, type BrowserParts, onPage, pageOutput, sessionInput } from './on-page.ts'
import { locate, nameOf, type Target, targetInput } from './target.ts'

/** A click or a key may do anything that the page offers: send, buy, delete. */
const acts = { readOnly: false, destructive: true, idempotent: false, openWorld: true } as const

const output = z.object(pageOutput)

/** The tools that use a page as a person does. */
export function actionTools(browser: BrowserParts): ServerTool<Lease>[] {
  const limits = (ctx: BrowserContext): { timeout: number; signal: AbortSignal } => ({
    timeout: browser.settings().actionTimeout,
    signal: ctx.signal,
  })
  const act = (
    ctx: BrowserContext,
    session: string | undefined,
    verb: string,
    target: Target,
    work: (element: Locator) => Promise<string>,
  ): Promise<ToolResult> =>
    onPage(browser, ctx, session, async ({ page }) => {
      try {
        return { text: await work(locate(page, target)) }
      } catch (error) {
        throw failure(`${verb} ${nameOf(target)}`, error, ctx.signal, seeSnapshot)
      }
    })
  return [
    tool({
      name: 'puppeteer_click',
      title: 'Click',
      description: 'Click an element on the page',
      annotations: acts,
      input: z.object({ ...targetInput, session: sessionInput }),
      output,
      run: ({ session, ...target }, ctx: BrowserContext) =>
        act(ctx, session, 'click', target, async (element) => {
          await element.click(limits(ctx))
          return `Clicked: ${nameOf(target)}`
        }),
    }),
    tool({
      name: 'puppeteer_fill',
      title: 'Fill a field',
      description: 'Fill out an input field. Text that it has is replaced.',
      annotations: { ...acts, idempotent: true },
      input: z.object({
        ...targetInput,
        value: z.string().max(100_000).describe('Value to fill'),
        session: sessionInput,
      }),
      output,
      run: ({ session, value, ...target }, ctx: BrowserContext) =>
        act(ctx, session, 'fill', target, async (element) => {
          await element.fill(value, limits(ctx))
          return `Filled ${nameOf(target)} with: ${value}`
        }),
    }),
    tool({
      name: 'puppeteer_select',
      title: 'Select an option',
      description: 'Select an element on the page with Select tag',
      annotations: { ...acts, idempotent: true },
      input: z.object({
        ...targetInput,
        value: z.string().max(10_000).describe('Value to select, or the text of the option'),
        session: sessionInput,
      }),
      output,
      run: ({ session, value, ...target }, ctx: BrowserContext) =>
        act(ctx, session, 'select', target, async (element) => {
          await element.selectOption(value, limits(ctx))
          return `Selected ${nameOf(target)} with: ${value}`
        }),
    }),
    tool({
      name: 'puppeteer_hover',
      title: 'Hover',
      description: 'Hover an element on the page',
      annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
      input: z.object({ ...targetInput, session: sessionInput }),
      output,
      run: ({ session, ...target }, ctx: BrowserContext) =>
        act(ctx, session, 'hover', target, async (element) => {
          await element.hover(limits(ctx))
          return `Hovered ${nameOf(target)}`
        }),
    }),
    tool({
      name: 'browser_press_key',
      title: 'Press a key',
      description: 'Presses a key, such as Enter, Tab, Escape, ArrowDown or Control+A, in an element.',
      annotations: acts,
      input: z.object({
        ...targetInput,
        key: z
          .string()
          .regex(/^(?:(?:Control|Shift|Alt|Meta|ControlOrMeta)\+){0,3}(?:[A-Z][A-Za-z0-9]{1,20}|.)$/u)
          .describe('A name as in KeyboardEvent.key, with modifiers or without'),
        session: sessionInput,
      }),
      output,
      run: ({ session, key, ...target }, ctx: BrowserContext) =>
        act(ctx, session, 'press a key in', target, async (element) => {
          await element.press(key, limits(ctx))
          return `Pressed ${key} in ${nameOf(target)}`
        }),
    }),
  ]
}
