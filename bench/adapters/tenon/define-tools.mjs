import { createServer } from '@tenon/sdk/server'
import { toolNumber } from './definition.mjs'

export function define(count) {
  const tools = Array.from({ length: count }, (_, i) => toolNumber(i))
  return createServer({ name: 'bench', version: '1.0.0', tools })
}
