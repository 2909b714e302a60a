import { type CallOptions, type Client, isMcpError, isRpcError, type JsonObject } from '@tenon/sdk/client'
import { isObject } from '../../json/is-object.ts'
import type { Operation } from '../types.ts'

/** The outcome of a call, in the words of paths and expectations. */
export interface Outcome {
  /** All text of the answer, joined by line breaks. */
  text?: string
  structured?: unknown
  isError?: boolean
  content?: unknown
  contents?: unknown
  messages?: unknown
  values?: string[]
  items?: unknown[]
  names?: string[]
  /** How many items, contents, messages, values or blocks of content there are. */
  count?: number
  /** The result as the server gave it, put into the words of the newest revision. */
  result?: JsonObject
  error?: { code: number | string; message: string; data?: unknown }
}

/** Makes a call. An error is an outcome too. */
export async function performOperation(client: Client, operation: Operation, options: CallOptions): Promise<Outcome> {
  try {
    return await performers[operation.kind](client, operation as never, options)
  } catch (error) {
    if (!isRpcError(error) && !isMcpError(error)) throw error
    const data = isRpcError(error) && error.data !== undefined ? { data: error.data } : {}
    return { error: { code: error.code, message: error.message, ...data } }
  }
}

type Performer<Kind extends Operation['kind']> = (
  client: Client,
  operation: Operation & { kind: Kind },
  options: CallOptions,
) => Promise<Outcome>

const performers: { [Kind in Operation['kind']]: Performer<Kind> } = {
  tool: async (client, { name, arguments: args }, options) => {
    const { content, structured, isError, text, meta } = await client.callTool(name, args, options)
    const result = {
      content,
      isError,
      ...(structured !== undefined && { structuredContent: structured }),
      ...(meta && { _meta: meta }),
    }
    return { text, isError, content, count: content.length, result, ...(structured !== undefined && { structured }) }
  },
  read: async (client, { uri }, options) => {
    const result = await client.readResource(uri, { ...options, fresh: true })
    const { contents } = result
    return { text: textsIn(contents), contents, count: contents.length, result: plain(result) }
  },
  prompt: async (client, { name, arguments: args }, options) => {
    const result = await client.getPrompt(name, args, options)
    const { messages } = result
    return {
      text: textsIn(messages.map(({ content }) => content)),
      messages,
      count: messages.length,
      result: plain(result),
    }
  },
  complete: async (client, { prompt, template, argument, value, context }, options) => {
    const ref =
      prompt === undefined
        ? ({ type: 'ref/resource', uri: template! } as const)
        : ({ type: 'ref/prompt', name: prompt } as const)
    const known =
      Object.keys(context).length === 0 ? {} : { context: { arguments: context as { [n: string]: string } } }
    const completion = await client.complete(ref, { name: argument, value }, { ...options, ...known })
    const { values } = completion
    return { values, text: values.join('\n'), count: values.length, result: plain({ completion }) }
  },
  list: async (client, { what }, options) => {
    const lists = {
      tools: () => client.tools(options),
      resources: () => client.resources(options),
      templates: () => client.resourceTemplates(options),
      prompts: () => client.prompts(options),
    }
    const items: JsonObject[] = []
    for await (const item of lists[what]()) items.push(plain(item))
    const names = items.map(({ name }) => String(name))
    return { items, names, text: names.join('\n'), count: items.length, result: { items } }
  },
  request: async (client, { method, params }, options) => ({ result: await client.request(method, params, options) }),
}

const plain = (value: object): JsonObject => value as JsonObject

const textsIn = (blocks: readonly unknown[]): string =>
  blocks
    .flat()
    .flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n')
