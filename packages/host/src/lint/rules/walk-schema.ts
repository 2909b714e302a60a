import type { JsonSchema } from '@tenon/sdk/client'
import { isSchema, lists, maps, maxSchemaDepth, maxSchemaNodes, single } from '../../chat/tools/tool-schema.ts'
import { step } from '../collector.ts'

/** A schema within another, with its place in the definition. */
export interface SchemaNode {
  readonly schema: JsonSchema
  readonly pointer: string
  readonly depth: number
}

/** Every schema within a schema. Those that are shared stand there once: references are not followed. */
interface SchemaNodes {
  readonly nodes: readonly SchemaNode[]
  /** Set if there are more, or deeper ones, than are read. */
  readonly isCut: boolean
}

const definitions = new Set(['$defs', 'definitions'])

export function nodesOf(root: JsonSchema, rootPointer: string): SchemaNodes {
  const nodes: SchemaNode[] = []
  let isCut = false
  const visit = (schema: unknown, pointer: string, depth: number): void => {
    if (!isSchema(schema)) return
    if (nodes.length >= maxSchemaNodes || depth > maxSchemaDepth) {
      isCut = true
      return
    }
    nodes.push({ schema, pointer, depth })
    for (const [keyword, value] of Object.entries(schema)) {
      const place = pointer + step(keyword)
      if (single.has(keyword)) visit(value, place, depth + 1)
      else if (lists.has(keyword) && Array.isArray(value)) {
        for (const [index, item] of value.entries()) visit(item, place + step(index), depth + 1)
      } else if ((maps.has(keyword) || definitions.has(keyword)) && isSchema(value)) {
        for (const [name, item] of Object.entries(value)) visit(item, place + step(name), depth + 1)
      }
    }
  }
  visit(root, rootPointer, 0)
  return { nodes, isCut }
}
