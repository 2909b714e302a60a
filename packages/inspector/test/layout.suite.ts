import type { Page } from 'playwright-core'

/** An element that moved without input just before. */
interface Jump {
  score: number
  what: string[]
}

interface ShiftEntry extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** Watches layout shifts, from the first paint on; the returned function gives those since its last call. */
export async function watchJumps(page: Page): Promise<() => Promise<Jump[]>> {
  await page.evaluate(() => {
    const seen: Jump[] = []
    const nameOf = (node: Node | null): string => {
      const element = node instanceof Element ? node : node?.parentElement
      return element === null || element === undefined
        ? 'something that is gone'
        : `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? '').slice(0, 30)}"`
    }
    const note = ({ value, sources, hadRecentInput }: ShiftEntry): void => {
      if (hadRecentInput) return
      const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
        const [by, down] = [Math.round(to.x - from.x), Math.round(to.y - from.y)]
        return `${nameOf(node)} by ${by}, ${down}`
      })
      seen.push({ score: value, what: moved })
    }
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry as ShiftEntry)
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    const take = (): Jump[] => {
      for (const entry of observer.takeRecords()) note(entry as ShiftEntry)
      return seen.splice(0)
    }
    Object.assign(window, { takeJumps: take })
  })
  return () =>
    page.evaluate(async () => {
      // Changes are painted with the second frame at the latest.
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
      return (window as unknown as { takeJumps: () => Jump[] }).takeJumps()
    })
}
