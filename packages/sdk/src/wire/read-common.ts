import type { JsonObject } from '../jsonrpc/message.ts'
import { loggingLevels } from '../model/logging.ts'
import { isObject } from './change.ts'
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

/** Who a peer is. Peers that forget their version are common, and it is only shown. */
export const implementation: Reader = object({
  name: string,
  version: orElse(string, ''),
  title: optional(string),
})

const switchable: Reader = optional(object({ listChanged: optional(boolean), subscribe: optional(boolean) }))

export const serverCapabilities: Reader = object({
  tools: switchable,
  resources: switchable,
  prompts: switchable,
  completions: optional(anyObject),
  logging: optional(anyObject),
  experimental: optional(anyObject),
  extensions: optional(anyObject),
  tasks: optional(anyObject),
})

export const clientCapabilities: Reader = object({
  roots: switchable,
  sampling: optional(object({ context: optional(anyObject), tools: optional(anyObject) })),
  elicitation: optional(object({ form: optional(anyObject), url: optional(anyObject) })),
  experimental: optional(anyObject),
  extensions: optional(anyObject),
})

/** Elicitation that names no mode means forms. */
export function withElicitationMode(capabilities: JsonObject): JsonObject {
  const { elicitation } = capabilities
  if (!isObject(elicitation) || elicitation.form || elicitation.url) return capabilities
  return { ...capabilities, elicitation: { ...elicitation, form: {} } }
}

const namedContents: Reader = object({ uri: string, mimeType: optional(string) })

/** The contents of a resource: text, or a blob. */
export const resourceContents: Reader = (value) => {
  const named = namedContents(value)
  if (named instanceof Mismatch) return named
  const { text, blob } = named as JsonObject
  return typeof text === 'string' || typeof blob === 'string'
    ? named
    : new Mismatch(
        'a string text or blob',
        text === undefined && blob === undefined ? 'neither' : 'neither as a string',
      )
}

const media: Reader = object({ data: string, mimeType: string })

const contentTypes: { readonly [type: string]: Reader } = {
  text: object({ text: string }),
  image: media,
  audio: media,
  resource_link: object({ uri: string, name: string }),
  resource: object({ resource: resourceContents }),
}

/** A block of a tool result or of a prompt. */
export const contentBlock: Reader = byType(contentTypes)

const samplingBlock: Reader = byType({
  ...contentTypes,
  tool_use: object({ id: string, name: string, input: anyObject }),
  tool_result: object({ toolUseId: string, content: array(contentBlock), isError: optional(boolean) }),
})

/** One block of a sampling message, or several. */
export const samplingContent: Reader = (value) => (Array.isArray(value) ? samplingBlocks(value) : samplingBlock(value))
const samplingBlocks: Reader = array(samplingBlock)

export const tool: Reader = object({
  name: string,
  title: optional(string),
  description: optional(string),
  inputSchema: anyObject,
  outputSchema: optional(anyObject),
  annotations: optional(anyObject),
})
