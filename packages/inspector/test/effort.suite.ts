import type { Page } from 'playwright-core'

/** The cost of a page. Times are printed and decide nothing: they say as much about the machine as about the page. */
interface Effort {
  /** Times that the main thread was busy for more than 50 ms. */
  longTasks: number
  longestMs: number
  heapMb: number
  /** Elements in the document. */
  elements: number
}

/** Watches the main thread from here on; the returned function gives the measurements. */
export async function watchEffort(page: Page): Promise<(what: string) => Promise<Effort>> {
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seenTasks: seen })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.push(duration)
    }).observe({ type: 'longtask' })
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  return async (what) => {
    await devtools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devtools.send('Performance.getMetrics')
    const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
    const { tasks, elements } = await page.evaluate(() => ({
      tasks: (window as unknown as { seenTasks: number[] }).seenTasks.splice(0),
      elements: document.querySelectorAll('*').length,
    }))
    const effort = {
      longTasks: tasks.length,
      longestMs: Math.round(Math.max(0, ...tasks)),
      heapMb: Math.round(heap / 1024 / 1024),
      elements,
    }
    console.log(`${what}: ${JSON.stringify(effort)}`)
    return effort
  }
}
