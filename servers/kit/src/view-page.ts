export interface ViewPage {
  /** The name that the view gives the host. */
  readonly name: string
  readonly title: string
  readonly style: string
  readonly body: string
  /** Declares `show(data)`, which gets the structured content of each result. It builds elements from data, never from markup. */
  readonly script: string
}

/**
 * The page of an app view: one document that reaches nothing outside itself, speaks to the window around it by hand, has
 * the theme and the style variables of the host, and tells it how much room it needs.
 */
export const viewPage = ({ name, title, style, body, script }: ViewPage): string => `<!doctype html>
<meta charset="utf-8">
<title>${title}</title>
<style>
  :root { color-scheme: light dark }
  body { margin: 0; padding: 0.75rem; font: 0.95rem/1.45 var(--font-sans, system-ui, sans-serif); color: var(--color-text-primary, CanvasText) }
${style}
</style>
${body}
<script>
{
${script}
  const root = document.documentElement
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const adopt = ({ theme, styles } = {}) => {
    if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme
    for (const [name, value] of Object.entries(styles?.variables ?? {})) {
      if (name.startsWith('--')) root.style.setProperty(name, String(value))
    }
  }
  const begin = (context) => {
    adopt(context)
    send({ method: 'ui/notifications/initialized' })
    new ResizeObserver(() => {
      const { width, height } = root.getBoundingClientRect()
      send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } })
    }).observe(root)
  }
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return
    if (data.id === 1 && data.result) begin(data.result.hostContext)
    if (data.method === 'ui/notifications/host-context-changed') adopt(data.params)
    if (data.method === 'ui/resource-teardown') send({ id: data.id, result: {} })
    if (data.method === 'ui/notifications/tool-result') show(data.params.structuredContent ?? {})
  })
  const appInfo = { name: ${JSON.stringify(name)}, version: '1.0.0' }
  send({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} } })
}
</script>
`
