import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Pictures for whoever wants to look, in the folder that SHOTS names: light, dark and narrow. */
export async function shoot(page: Page, name: string): Promise<void> {
  const { SHOTS } = process.env
  if (SHOTS === undefined) return
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.screenshot({ path: join(SHOTS, `${name}-${scheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 360, height: 740 })
  await page.screenshot({ path: join(SHOTS, `${name}-360.png`) })
  await page.setViewportSize(size)
}
