import { visible } from '@tenon/sdk/display'
import type { Style } from '../terminal/style.ts'

/** JSON for people: indented, coloured, and harmless. */
export const showJson = (value: unknown, style: Style): string => render(value, style, '')

function render(value: unknown, style: Style, indent: string): string {
  if (typeof value === 'string') return style.green(visible(JSON.stringify(value)))
  if (typeof value !== 'object' || value === null) return style.yellow(String(JSON.stringify(value)))
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => render(item, style, deeper))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${style.cyan(visible(JSON.stringify(key)))}: ${render(member, style, deeper)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  return `${open}\n${parts.map((part) => `${deeper}${part}`).join(',\n')}\n${indent}${close}`
}
