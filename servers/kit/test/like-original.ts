import type { Tool } from '@tenon/sdk/client'

interface Parameters {
  properties?: { [name: string]: { type?: unknown; anyOf?: { type?: unknown }[] } }
  required?: string[]
}

/**
 * Everything that a caller of the original would miss in ours: tools, parameters, other types, and parameters that
 * only ours requires. Empty if ours can stand in for it.
 */
export function missingIn(ours: readonly Tool[], original: readonly Tool[]): string[] {
  const byName = new Map(ours.map((tool) => [tool.name, tool]))
  return original.flatMap(({ name, inputSchema }) => {
    const tool = byName.get(name)
    if (tool === undefined) return [`tool ${name}`]
    const wanted = inputSchema as Parameters
    const offered = tool.inputSchema as Parameters
    const parameters = Object.entries(wanted.properties ?? {}).flatMap(([parameter, schema]) => {
      const counterpart = offered.properties?.[parameter]
      if (counterpart === undefined) return [`${name}.${parameter}`]
      const lost = typesOf(schema).filter((type) => type !== 'null' && !typesOf(counterpart).includes(type))
      return lost.map((type) => `${name}.${parameter} as ${type}`)
    })
    const required = (offered.required ?? []).filter((parameter) => !wanted.required?.includes(parameter))
    return [...parameters, ...required.map((parameter) => `${name} without ${parameter}`)]
  })
}

const typesOf = (schema: { type?: unknown; anyOf?: { type?: unknown }[] }): string[] =>
  (schema.anyOf ?? [schema]).flatMap(({ type }) => type).map(String)
