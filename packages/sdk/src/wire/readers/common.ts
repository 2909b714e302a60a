import type { JsonObject } from '../../jsonrpc/message.ts'
import { loggingLevels } from '../../model/logging.ts'
import { isObject } from '../change.ts'
import type { Reader } from './reader.ts'
import {
  anyObject,
  array,
  boolean,
  byType,
  idOrToken,
  Mismatch,
  object,
  oneOf,
  optional,
  orElse,
  string,
} from './reader.ts'

export const role: Reader = oneOf(['user', 'assistant'])
export const loggingLevel: Reader = oneOf(loggingLevels)

/** The `_meta` of a request. */
export const requestMeta: Reader = optional(object({ progressToken: optional(idOrToken) }))

/** The name and version of a peer. Peers that forget their version are common, and it is only shown. */
export const implementation: Reader = object({
  name: string,
  version: orElse(string, ''),
  title: optional(string),
})

const switchable = (): Reader => optional(object({ listChanged: optional(boolean), subscribe: optional(boolean) }))

export const serverCapabilities = (): Reader =>
  object({
    tools: switchable(),
    resources: switchable(),
    prompts: switchable(),
    completions: optional(anyObject),
    logging: optional(anyObject),
    experimental: optional(anyObject),
    extensions: optional(anyObject),
    tasks: optional(anyObject),
  })

export const clientCapabilitiesReader = (): Reader =>
  object({
    roots: switchable(),
    sampling: optional(object({ context: optional(anyObject), tools: optional(anyObject) })),
    elicitation: optional(object({ form: optional(anyObject), url: optional(anyObject) })),
    experimental: optional(anyObject),
    extensions: optional(anyObject),
  })

/** Elicitation without a mode means forms. */
export function withElicitationMode(capabilities: JsonObject): JsonObject {
  const { elicitation } = capabilities
  if (!isObject(elicitation) || elicitation.form || elicitation.url) return capabilities
  return { ...capabilities, elicitation: { ...elicitation, form: {} } }
}

/** The contents of a resource: text, or a blob. */
export function resourceContents(): Reader {
  const namedContents = object({ uri: string, mimeType: optional(string) })
  return (value) => {
    const named = namedContents(value)
    if (named instanceof Mismatch) return named
    const { text, blob } = named as JsonObject
    if (typeof text === 'string' || typeof blob === 'string') return named
    const isAbsent = text === undefined && blob === undefined
    return new Mismatch('a string text or blob', isAbsent ? 'neither' : 'neither as a string')
  }
}

function contentTypes(): { readonly [type: string]: Reader } {
  const media = object({ data: string, mimeType: string })
  return {
    text: object({ text: string }),
    image: media,
    audio: media,
    resource_link: object({ uri: string, name: string }),
    resource: object({ resource: resourceContents() }),
  }
}

/** A block of a tool result or of a prompt. */
export const contentBlock = (): Reader => byType(contentTypes())

/** One block of a sampling message, or several. */
export function samplingContent(): Reader {
  const types = contentTypes()
  const block = byType({
    ...types,
    tool_use: object({ id: string, name: string, input: anyObject }),
    tool_result: object({ toolUseId: string, content: array(byType(types)), isError: optional(boolean) }),
  })
  const blocks = array(block)
  return (value) => (Array.isArray(value) ? blocks(value) : block(value))
}

export const toolReader = (): Reader =>
  object({
    name: string,
    title: optional(string),
    description: optional(string),
    inputSchema: anyObject,
    outputSchema: optional(anyObject),
    annotations: optional(anyObject),
  })
