import { appResource, appTool, supportsApps } from '@tenon/sdk/apps'
import { type ServerResource, type ServerTool, ToolResult, text } from '@tenon/sdk/server'
import { z } from 'zod'
import { colors, toHex } from './colors.ts'

// A view is one page and speaks JSON-RPC to the window around it. This one is short enough to do so by hand;
// larger ones use `connectToHost` of `@tenon/sdk/apps/view`.
const page = `<!doctype html>
<meta charset="utf-8">
<title>Colour card</title>
<style>
  :root { color-scheme: light dark }
  body { margin: 0; font: 1rem/1.5 var(--font-sans, system-ui, sans-serif) }
  figure { margin: 0; padding: 1rem; display: flex; gap: 1rem; align-items: center }
  #swatch { width: 4rem; height: 4rem; border-radius: 0.5rem; border: 1px solid #8888 }
  figcaption { color: var(--color-text-primary, CanvasText) }
</style>
<figure><div id="swatch" role="img" aria-label="The colour"></div><figcaption id="name">Waiting for a colour …</figcaption></figure>
<script>
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return
    if (data.id === 1 && data.result) send({ method: 'ui/notifications/initialized' })
    if (data.method === 'ui/resource-teardown') send({ id: data.id, result: {} })
    if (data.method !== 'ui/notifications/tool-result') return
    const { name, hex } = data.params.structuredContent ?? {}
    if (!/^#[0-9a-f]{6}$/.test(hex)) return
    document.getElementById('swatch').style.background = hex
    document.getElementById('name').textContent = name + ', ' + hex
  })
  const appInfo = { name: 'color-card', version: '1.0.0' }
  send({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} } })
</script>
`

/** A view that reaches nothing outside itself. */
export const colorCard: ServerResource = appResource({
  uri: 'ui://everything/color-card',
  name: 'color-card',
  title: 'Colour card',
  description: 'Shows the colour that show_color was asked for',
  html: page,
  prefersBorder: true,
})

/** Hosts that know apps show the card; the model reads the text in any case. */
export const showColor: ServerTool = appTool({
  name: 'show_color',
  title: 'Show a colour',
  description: 'Shows a named colour to the user, as a card where the client can show one',
  app: colorCard,
  input: z.object({ name: z.enum([...colors.keys()] as [string, ...string[]]) }),
  output: z.object({ name: z.string(), hex: z.string() }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run({ name }, ctx) {
    const hex = toHex(colors.get(name)!)
    const said = supportsApps(ctx.caller) ? `The user sees ${name}, ${hex}` : `${name} is ${hex}`
    return new ToolResult({ content: text(said), structured: { name, hex } })
  },
})
