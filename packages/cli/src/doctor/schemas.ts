import { type Finding, failed, ok, warned } from '@tenon/host/diagnosis'
import type { JsonSchema, Tool } from '@tenon/sdk/client'
import { compileSchema } from '@tenon/sdk/schema'

/** Names that every model provider takes. */
const goodName = /^[A-Za-z0-9_-]{1,64}$/

/** Judges the schemas, names and descriptions of tools. */
export function judgeSchemas(tools: readonly Tool[]): Finding | undefined {
  if (tools.length === 0) return undefined
  const faults = tools.flatMap((tool) => faultsOf(tool))
  if (faults.length > 0) {
    return failed(
      several(faults),
      'Hosts leave out such a tool, or refuse the whole server. `tenon list --schema` shows it.',
    )
  }
  const weak = tools.flatMap((tool) => weaknessesOf(tool))
  if (weak.length > 0) return warned(several(weak), 'Models choose a tool by its name and description.')
  const count = tools.filter(({ outputSchema }) => outputSchema !== undefined).length
  return ok(`The schemas of ${tools.length} tools are in order${count > 0 ? `, ${count} with one for results` : ''}`)
}

function faultsOf({ name, inputSchema, outputSchema }: Tool): string[] {
  return [
    ...faultOf(`${name}: inputSchema`, inputSchema, true),
    ...(outputSchema === undefined ? [] : faultOf(`${name}: outputSchema`, outputSchema, false)),
  ]
}

function faultOf(place: string, schema: JsonSchema, isObject: boolean): string[] {
  try {
    compileSchema(schema)
  } catch (error) {
    return [`${place}: ${(error as Error).message}`]
  }
  const { type } = schema
  return isObject && type !== 'object'
    ? [`${place}: expected type "object", got ${JSON.stringify(type) ?? 'none'}`]
    : []
}

function weaknessesOf({ name, description }: Tool): string[] {
  return [
    ...(description?.trim() ? [] : [`${name} has no description`]),
    ...(goodName.test(name) ? [] : [`${name}: some models refuse names but of 64 letters, digits, _ and -`]),
  ]
}

const mostShown = 3

const several = (texts: readonly string[]): string =>
  [...texts.slice(0, mostShown), ...(texts.length > mostShown ? [`and ${texts.length - mostShown} more`] : [])].join(
    '; ',
  )
