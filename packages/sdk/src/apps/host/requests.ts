import { ErrorCode, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { isWebUrl } from '../../internal/web-url.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ContentBlock } from '../../model/content.ts'
import type { Progress } from '../../model/progress.ts'
import type { ReadResourceResult } from '../../model/resources.ts'
import { isForApp } from '../tool-meta.ts'
import { methods, refusedCode } from '../vocabulary.ts'
import { type AppClient, toWireResult } from './app-client.ts'
import type { AppCallbacks } from './callbacks.ts'
import { ToolList } from './tool-list.ts'

type Answer = (params: JsonObject, request: IncomingRequest) => Promise<JsonObject>

interface RequestSources {
  client: AppClient
  callbacks: AppCallbacks
  /** Tells the view about progress on a request of its own. */
  progressed(token: unknown, progress: Progress): void
}

/** The handlers for requests of a view, by method, as far as the host has callbacks. */
export function answersFor({ client, callbacks, progressed }: RequestSources): ReadonlyMap<string, Answer> {
  const { callTool, readResource, openLink, message, updateModelContext } = callbacks
  const answers = new Map<string, Answer>()
  if (callTool) {
    const tools = new ToolList(client)
    answers.set('tools/call', async (params, request) => {
      const { name, arguments: args = {}, _meta: meta } = params
      if (typeof name !== 'string') throw expected('name', 'a string', name)
      if (!isObject(args)) throw expected('arguments', 'an object', args)
      const tool = await tools.find(name)
      // One answer for both, so that a view cannot find out which tools there are.
      if (tool === undefined || !isForApp(tool))
        throw new RpcError(ErrorCode.InvalidParams, `Tool ${JSON.stringify(name)} is not available to apps`)
      const { signal } = request
      await mustAllow(callTool === true || callTool({ tool, arguments: args, signal }), 'The tool call')
      const token = isObject(meta) ? meta.progressToken : undefined
      const onProgress = (progress: Progress): void => {
        if (!request.settled) progressed(token, progress)
      }
      return toWireResult(await client.callTool(name, args, { signal, ...(token !== undefined && { onProgress }) }))
    })
  }
  if (readResource) {
    answers.set('resources/read', async ({ uri }, { signal }) => {
      if (typeof uri !== 'string') throw expected('uri', 'a string', uri)
      await mustAllow(readResource === true || readResource({ uri, signal }), 'Reading the resource')
      return { ...((await client.readResource(uri, { signal })) satisfies ReadResourceResult) }
    })
  }
  if (openLink) answers.set(methods.openLink, ({ url }) => done(openLink(readUrl(url)), 'Opening the link'))
  if (message)
    answers.set(methods.message, ({ role, content }) => {
      if (role !== 'user') throw expected('role', '"user"', role)
      return done(message({ role, content: readContent(content) }), 'The message')
    })
  if (updateModelContext)
    answers.set(methods.updateModelContext, ({ content, structuredContent: structured }) => {
      if (structured !== undefined && !isObject(structured))
        throw expected('structuredContent', 'an object', structured)
      const context = {
        ...(content !== undefined && { content: readContent(content) }),
        ...(structured !== undefined && { structuredContent: structured }),
      }
      return done(updateModelContext(context), 'The context update')
    })
  return answers
}

/** Only a plain yes is consent. */
async function mustAllow(decision: MaybePromise<boolean>, what: string): Promise<void> {
  if ((await decision) !== true) throw refused(what)
}

async function done(doing: unknown, what: string): Promise<JsonObject> {
  if ((await doing) === false) throw refused(what)
  return {}
}

const refused = (what: string): RpcError => new RpcError(refusedCode, `${what} was refused by the host`)

export const expected = (path: string, what: string, found: unknown): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `Invalid params: ${path}: expected ${what}, got ${describe(found)}`)

function readUrl(value: unknown): URL {
  if (typeof value !== 'string') throw expected('url', 'a string', value)
  // `javascript:` would run in the page that opens it, `file:` reads the disk.
  if (!isWebUrl(value)) throw new RpcError(refusedCode, 'Invalid URL: expected an absolute http or https URL')
  const url = new URL(value)
  // `https://bank.example@evil.example` is made to be misread.
  if (url.username !== '' || url.password !== '') throw new RpcError(refusedCode, 'Invalid URL: it has credentials')
  return url
}

const kinds = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link'])

/** Some views send one block instead of a list of them; the specification has shown both. */
function readContent(value: unknown): ContentBlock[] {
  const blocks: unknown[] = Array.isArray(value) ? value : [value]
  for (const [index, block] of blocks.entries()) {
    if (!isObject(block) || !kinds.has(block.type)) throw expected(`content[${index}]`, 'a content block', block)
    if (block.type === 'text' && typeof block.text !== 'string')
      throw expected(`content[${index}].text`, 'a string', block.text)
  }
  return blocks as ContentBlock[]
}
