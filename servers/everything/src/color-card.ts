import { appResource, appTool, supportsApps } from '@tenon/sdk/apps'
import { type ServerResource, type ServerTool, ToolResult, text } from '@tenon/sdk/server'
import { viewPage } from '@tenon/server-kit'
import { z } from 'zod'
import { colors, toHex } from './colors.ts'

// A view is one page and speaks JSON-RPC to the window around it. This one is short enough to do so by hand;
// larger ones use `connectToHost` of `@tenon/sdk/apps/view`.
const page = viewPage({
  name: 'color-card',
  title: 'Colour card',
  style: `  figure { margin: 0; padding: 1rem; display: flex; gap: 1rem; align-items: center }
  #swatch { width: 4rem; height: 4rem; border-radius: 0.5rem; border: 1px solid #8888 }
  figcaption { color: var(--color-text-primary, CanvasText) }`,
  body: `<figure><div id="swatch" role="img" aria-label="The colour"></div><figcaption id="name">Waiting for a colour …</figcaption></figure>`,
  script: `  const show = ({ name, hex }) => {
    if (!/^#[0-9a-f]{6}$/.test(hex)) return
    document.getElementById('swatch').style.background = hex
    document.getElementById('name').textContent = name + ', ' + hex
  }`,
})

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
