import { type ServerTool, tool } from '@tenon/sdk/server'
import { argumentsOf } from './arguments.ts'
import type { ApiDocument } from './document/api-document.ts'
import { OpenApiError } from './document/openapi-error.ts'
import type { Operation } from './document/operation.ts'
import type { OpenApiOptions } from './options.ts'
import { buildRequest } from './request/build-request.ts'
import { authorize } from './request/security.ts'
import { send } from './request/send.ts'
import { outputSchemaOf } from './response/output-schema.ts'
import { readBody } from './response/read-body.ts'
import { failureResult, toResult } from './response/to-result.ts'

const defaultTimeoutMs = 30_000
const defaultMaxAnswerBytes = 1024 * 1024
const reading: ReadonlySet<string> = new Set(['get', 'head', 'options', 'trace'])
const changing: ReadonlySet<string> = new Set(['put', 'patch', 'delete'])

/** The tool of an operation. */
export function toTool(document: ApiDocument, operation: Operation, name: string, options: OpenApiOptions): ServerTool {
  const { method } = operation
  const base = baseUrl(operation, options.baseUrl)
  const input = argumentsOf(document, operation)
  const output = outputSchemaOf(document, operation)
  const argumentNames = new Map(
    input.list.flatMap((one) => ('parameter' in one ? [[one.parameter.name, one.name] as const] : [])),
  )
  const { timeoutMs = defaultTimeoutMs, maxAnswerBytes = defaultMaxAnswerBytes } = options
  return tool({
    name,
    ...(operation.summary !== undefined && { title: operation.summary.slice(0, 200) }),
    description: descriptionOf(operation),
    input: input.schema,
    ...(output !== undefined && { output: output.schema }),
    annotations: {
      readOnly: reading.has(method),
      // A POST may do anything: without a hint clients assume the worst.
      ...(changing.has(method) && { destructive: true, idempotent: method !== 'patch' }),
      openWorld: true,
    },
    async run(args: { readonly [name: string]: unknown }, ctx) {
      const request = buildRequest(operation, base, input.list, args)
      for (const [header, value] of Object.entries(options.headers ?? {})) request.headers.set(header, value)
      await authorize(document, operation, options.credentials, ctx.caller, request)
      const response = await send(request, { method, signal: ctx.signal, timeoutMs, fetch: options.fetch ?? fetch })
      const answer = await readBody(response, maxAnswerBytes)
      if (!response.ok) return failureResult(operation, response, answer)
      return toResult(operation, output, response, answer, argumentNames)
    },
  }) as ServerTool
}

function descriptionOf({ summary, description, isDeprecated, method, path }: Operation): string {
  const said = [summary, description === summary ? undefined : description].filter((part) => part !== undefined)
  const text = said.length === 0 ? `${method.toUpperCase()} ${path}` : said.join('\n\n')
  return `${isDeprecated ? 'Deprecated. ' : ''}${text}`.slice(0, 4_000)
}

function baseUrl({ serverUrl, pointer }: Operation, given: string | URL | undefined): URL {
  const text = given === undefined ? (serverUrl ?? '/') : String(given)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new OpenApiError(
    pointer,
    `the address of the service is ${JSON.stringify(text)}: give baseUrl, an http or https URL`,
  )
}
