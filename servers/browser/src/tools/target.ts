import { ToolError } from '@tenon/sdk/server'
import type { Locator, Page } from 'playwright-core'
import { z } from 'zod'

/** The element that a tool is about: by selector, as in the original, or by reference. */
export interface Target {
  selector?: string | undefined
  ref?: string | undefined
}

export const targetInput: { selector: z.ZodOptional<z.ZodString>; ref: z.ZodOptional<z.ZodString> } = {
  selector: z.string().min(1).max(2_000).optional().describe('CSS selector for element; the first match counts'),
  ref: z
    .string()
    .regex(/^(?:f\d{1,6})?e\d{1,9}$/)
    .optional()
    .describe('Reference of the element in the latest browser_snapshot, such as e12; instead of a selector'),
}

export function locate(page: Page, { selector, ref }: Target): Locator {
  if ((selector === undefined) === (ref === undefined)) {
    throw new ToolError('Expected either "selector" or "ref", the reference of an element in a browser_snapshot.')
  }
  return ref === undefined ? page.locator(selector!).first() : page.getByRef(ref)
}

/** The element as results name it. */
export const nameOf = ({ selector, ref }: Target): string => selector ?? ref ?? ''
