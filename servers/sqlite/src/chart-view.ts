import { appResource } from '@tenon/sdk/apps'
import type { ServerResource } from '@tenon/sdk/server'
import { viewPage } from '@tenon/server-kit'
import { drawing } from './chart-drawing.ts'

const page = viewPage({
  name: 'chart',
  title: 'Chart',
  style: `  :root { --line: color-mix(in srgb, currentColor 22%, transparent) }
  h1 { font-size: 1.05rem; margin: 0 0 0.4rem }
  svg { display: block; width: 100%; height: auto; overflow: visible }
  svg text { fill: currentColor; font-size: 11px }
  ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; margin: 0.5rem 0 0; padding: 0 }
  li { overflow-wrap: anywhere }
  li::before { content: ''; display: inline-block; width: 0.7em; height: 0.7em; margin-right: 0.4em; border-radius: 2px; background: var(--color) }
  p { margin: 0.4rem 0 0; opacity: 0.75 }`,
  body: `<main><h1 id="title" hidden></h1><div id="chart"></div><ul id="legend" aria-label="Legend"></ul><p id="state">Waiting for rows …</p></main>`,
  script: drawing,
})

/** A view that reaches nothing outside itself. */
export const chartView: ServerResource = appResource({
  uri: 'ui://sqlite/chart',
  name: 'chart',
  title: 'Chart of a query',
  description: 'Draws the rows of a query as bars, lines, areas, points or a pie',
  html: page,
  prefersBorder: true,
})
