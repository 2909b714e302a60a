import type { Page } from 'playwright-core'

/** The most work of a page in one task. Other programs do not change it. */
export interface PageWork {
  /** Nodes that were added and attributes that were changed without a pause in between. */
  changes: number
  /** Bytes of one answer of the backend, which are parsed without a pause. */
  replyBytes: number
}

/** The most that the page does at once for `act`. How long the longest task took is printed, and decides nothing. */
export async function mostWork(page: Page, what: string, act: () => Promise<void>): Promise<PageWork> {
  await page.evaluate(() => {
    const most = { changes: 0, replyBytes: 0, longestMs: 0 }
    const nodesIn = (node: Node): number => (node instanceof Element ? node.querySelectorAll('*').length + 1 : 1)
    // React draws in one task, after which this gets all changes.
    const drawn = new MutationObserver((records) => {
      let changes = 0
      for (const { type, addedNodes } of records) {
        if (type === 'childList') for (const node of addedNodes) changes += nodesIn(node)
        else changes += 1
      }
      most.changes = Math.max(most.changes, changes)
    })
    drawn.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
    const answered = new PerformanceObserver((list) => {
      for (const { encodedBodySize } of list.getEntries() as PerformanceResourceTiming[])
        most.replyBytes = Math.max(most.replyBytes, encodedBodySize)
    })
    answered.observe({ type: 'resource' })
    const worked = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) most.longestMs = Math.max(most.longestMs, Math.round(duration))
    })
    worked.observe({ type: 'longtask' })
    const end = (): typeof most => {
      for (const observer of [drawn, answered, worked]) observer.disconnect()
      return most
    }
    Object.assign(window, { endOfWork: end })
  })
  await act()
  const most = await page.evaluate(async () => {
    // The last drawing is reported with the next frames.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    return (window as unknown as { endOfWork: () => PageWork & { longestMs: number } }).endOfWork()
  })
  console.log(`${what}: ${JSON.stringify(most)}`)
  return most
}
