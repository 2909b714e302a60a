import { ToolError } from '@tenon/sdk/server'

/** The value at a JSON pointer (RFC 6901). */
export function atPointer(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  if (!pointer.startsWith('/')) throw new ToolError('The pointer begins with /, such as /items/0/name.')
  let value = document
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name) && !isLength(value, name)
    if (!isThere) throw new ToolError(`There is nothing at ${pointer}: no ${JSON.stringify(name)}.${namesIn(value)}`)
    value = (value as { [name: string]: unknown })[name]
  }
  return value
}

const isLength = (value: object, name: string): boolean => Array.isArray(value) && name === 'length'

function namesIn(value: unknown): string {
  if (Array.isArray(value)) return ` There are ${value.length} items.`
  if (typeof value !== 'object' || value === null) return ''
  return ` There are ${Object.keys(value).slice(0, 20).join(', ').slice(0, 500)}.`
}
