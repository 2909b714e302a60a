import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Look = readonly [colorScheme: 'light' | 'dark', width: number]

/**
 * Each colour and each width once. Colours do not depend on the width, and the parts that most screens share are there in both:
 * half of the screens have it the other way round.
 */
const pairs: readonly (readonly Look[])[] = [
  [
    ['light', 1280],
    ['dark', 360],
  ],
  [
    ['dark', 1280],
    ['light', 360],
  ],
]

/** The five widths that the page is made for, in both colours. */
export const allLooks: readonly Look[] = [360, 768, 1024, 1440, 1920].flatMap((width) => [
  ['light', width] as const,
  ['dark', width] as const,
])

/**
 * Barriers by the rules of axe, and elements that are wider than the screen: in light and dark, wide and narrow. With
 * SHOTS, a folder, there are pictures to look at.
 */
export async function barriers(
  page: Page,
  screen: string,
  ways: readonly Look[] = pairs[screen.length % 2]!,
): Promise<string[]> {
  const found: string[] = []
  const before = page.viewportSize()!
  for (const [colorScheme, width] of ways) {
    await page.emulateMedia({ colorScheme })
    if (page.viewportSize()!.width !== width) await page.setViewportSize({ width, height: 800 })
    const look = `${screen}-${colorScheme}-${width}`
    await settled(page)
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: join(process.env.SHOTS, `${look}.png`) })
    for (const barrier of await axeFindings(page)) found.push(`${look}: ${barrier}`)
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (tooWide > 0) found.push(`${look}: ${tooWide} pixels wider than the screen`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
  return found
}

/** A screen that is still being loaded has no heading, and one that fades in has less contrast. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.evaluate(async () => {
    const endless = (animation: Animation): boolean => animation.effect?.getComputedTiming().endTime === Infinity
    const ending = document.getAnimations().filter((animation) => !endless(animation))
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

async function axeFindings(page: Page): Promise<string[]> {
  // Evaluated from outside: the policy of the page would not let it in. It stays until the page is loaded again.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
      }
    }
    // Selectors are not shown, and cannot be made of elements that an editor has replaced meanwhile.
    const { violations } = await axe.run({ selectors: false, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    )
  })
}
