import type { Operation } from './document/operation.ts'

const maxLength = 64

/** The name of an operation's tool: its id, or its method and path. It depends on nothing but the operation. */
export function toolName({ id, method, path }: Operation): string {
  const words = id ?? `${method}${path.replace(/\{([^{}]*)\}/g, 'by_$1')}`
  const name = words.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '')
  return (name === '' ? method : name).slice(0, maxLength)
}
