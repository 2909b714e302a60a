// Bar charts as SVG, readable on light and on dark pages: the colours follow the reader's preference.
import { formatNumber } from './rows.mjs'

const width = 760
const labelWidth = 130
const valueWidth = 100
const barHeight = 16
const gap = 4

const style = `
    text { font: 12px system-ui, sans-serif; fill: #24292f }
    .title { font-size: 14px; font-weight: 600 }
    .row { font-weight: 600 }
    .bar { fill: #8c959f }
    .limit { fill: #c9d1d9 }
    .tenon { fill: #0969da }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .bar { fill: #6e7681 }
      .limit { fill: #484f58 }
      .tenon { fill: #4493f8 }
    }`

/** One chart for the rows of a scenario; rows share no scale, since their units may differ. */
export function plotScenario(rows) {
  const parts = []
  let y = 24
  for (const row of rows) {
    y += 22
    parts.push(
      `<text class="row" x="0" y="${y}">${escaped(row.row)} (${escaped(row.unit)}${row.lower ? ', lower is better' : ''})</text>`,
    )
    y += 8
    for (const bar of barsOf(row)) {
      parts.push(barAt(y, bar))
      y += barHeight + gap
    }
  }
  const title = `<text class="title" x="0" y="16">${escaped(rows[0].title)}</text>`
  const size = `width="${width}" height="${y + 8}" viewBox="0 0 ${width} ${y + 8}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(rows[0].title)}">
  <style>${style}
  </style>
  ${[title, ...parts].join('\n  ')}
</svg>
`
}

function barsOf({ results, lower }) {
  const entries = Object.entries(results).sort(([, a], [, b]) => (lower ? a.median - b.median : b.median - a.median))
  const largest = Math.max(...entries.map(([, { median }]) => median), Number.MIN_VALUE)
  return entries.map(([name, { median }]) => ({ name, median, share: Math.max(median / largest, 0) }))
}

function barAt(y, { name, median, share }) {
  const length = Math.max(share * (width - labelWidth - valueWidth), 1).toFixed(1)
  const base = y + 12
  const kind = name === 'tenon' || name === 'limit' ? `bar ${name}` : 'bar'
  return [
    `<text x="0" y="${base}">${escaped(name)}</text>`,
    `<rect class="${kind}" x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" rx="2"/>`,
    `<text x="${(labelWidth + Number(length) + 6).toFixed(1)}" y="${base}">${formatNumber(median)}</text>`,
  ].join('')
}

const escaped = (text) => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`)
