import { chromium } from 'playwright-core'
import { findChromium } from '../../../scripts/programs.mjs'

/** A browser on a busy machine takes its time. */
export const browserTimeoutMs = 180_000

/** One look at a view after each result. `look` is an expression over the document `page`. */
export async function seeView(view: string, results: unknown[], look: string): Promise<unknown[]> {
  const browser = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(browserTimeoutMs)
    await page.setContent(hostPage(view, results, look))
    return JSON.parse((await page.locator('#seen:not(:empty)').textContent())!)
  } finally {
    await browser.close()
  }
}

const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** A dark host that shows the view in a frame of the height that it asks for, and sends it the results. */
const hostPage = (
  view: string,
  results: unknown[],
  look: string,
): string => `<!doctype html><pre id="seen"></pre><iframe style="height: 1px"></iframe><script>
const frame = document.querySelector('iframe')
const seen = []
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
const hostContext = { theme: 'dark', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } }
const show = async () => {
  for (const structuredContent of ${inScript(results)}) {
    send({ method: 'ui/notifications/tool-result', params: { structuredContent } })
    const page = frame.contentDocument
    // The view has drawn the result, and then the frame has the height that it asked for.
    do await new Promise((resolve) => setTimeout(resolve, 50))
    while (frame.offsetHeight < page.body.offsetHeight)
    seen.push({ ...(${look}), scheme: page.documentElement.style.colorScheme, ink: getComputedStyle(page.body).color })
  }
  document.getElementById('seen').textContent = JSON.stringify(seen)
}
addEventListener('message', ({ data }) => {
  if (data.method === 'ui/initialize') send({ id: data.id, result: { protocolVersion: '2026-01-26', hostContext } })
  if (data.method === 'ui/notifications/size-changed') frame.style.height = data.params.height + 'px'
  if (data.method === 'ui/notifications/initialized') show()
})
frame.srcdoc = ${inScript(view)}
</script>`
