import { visibleJson } from '@tenon/sdk/display'
import type { Style } from '../terminal/style.ts'
import { join, say, type TerminalText } from '../terminal/text.ts'

/** JSON for people: indented, coloured, and harmless. */
export const showJson = (value: unknown, style: Style): TerminalText => render(value, style, '')

function render(value: unknown, style: Style, indent: string): TerminalText {
  if (typeof value === 'string') return style.green(visibleJson(JSON.stringify(value)))
  if (typeof value !== 'object' || value === null) return style.yellow(String(JSON.stringify(value)))
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => render(item, style, deeper))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => say`${style.cyan(visibleJson(JSON.stringify(key)))}: ${render(member, style, deeper)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return say`${open}${close}`
  const lines = parts.map((part) => say`${deeper}${part}`)
  return say`${open}\n${join(lines, ',\n')}\n${indent}${close}`
}
