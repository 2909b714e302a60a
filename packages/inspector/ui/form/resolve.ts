export type Schema = { readonly [keyword: string]: unknown }

const maxHops = 32

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A schema without references and `allOf`: both are resolved. */
export function resolve(schema: unknown, root: Schema): Schema {
  let found: Schema = isSchema(schema) ? schema : {}
  for (let hops = 0; typeof found.$ref === 'string' && hops < maxHops; hops++) {
    const { $ref, ...beside } = found
    found = { ...pointedAt(root, $ref as string), ...beside }
  }
  const { $ref: _, ...rest } = found
  return Array.isArray(rest.allOf) ? combine(rest, root) : rest
}

/** The target of `#/$defs/node`. Other documents are never fetched. */
function pointedAt(root: Schema, reference: string): Schema {
  if (!reference.startsWith('#')) return {}
  let at: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = isSchema(at) || Array.isArray(at) ? Object.getOwnPropertyDescriptor(at, name)?.value : undefined
  }
  return isSchema(at) ? at : {}
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function combine({ allOf, ...rest }: Schema, root: Schema): Schema {
  const parts = [...(allOf as unknown[]).slice(0, maxHops).map((part) => resolve(part, root)), rest]
  const properties = Object.assign({}, ...parts.map((part) => part.properties))
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []))
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}
