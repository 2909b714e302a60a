import { audio, type ContentBlock, embed, image, ToolResult, text } from '@tenon/sdk/server'
import { isObject } from '../document/json.ts'
import type { Operation } from '../document/operation.ts'
import { nextPage } from './next-page.ts'
import type { OutputSchema } from './output-schema.ts'
import type { ServiceAnswer } from './read-body.ts'

const textOf = ({ bytes }: ServiceAnswer): string => new TextDecoder().decode(bytes)
const isText = (mediaType: string): boolean =>
  mediaType === '' || /^text\/|[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded)$/.test(mediaType)

/** The result of a call that the service carried out. */
export function toResult(
  operation: Operation,
  output: OutputSchema | undefined,
  response: Response,
  answer: ServiceAnswer,
  argumentNames: ReadonlyMap<string, string>,
): ToolResult {
  if (answer.isCut && isText(answer.mediaType)) return cutResult(answer)
  const data = parseJson(answer)
  if (data === undefined) return otherResult(operation, output, response, answer)
  const next = nextPage(response, data, argumentNames)
  const content = [JSON.stringify(data), ...(next === undefined ? [] : [`There is more: call again with ${next}`])]
  if (output === undefined) return new ToolResult({ content, ...(isObject(data) && { structured: data }) })
  const structured = output.wraps ? { result: data } : data
  const problem = output.problemOf(structured)
  if (problem === undefined) return new ToolResult({ content, structured })
  return new ToolResult({
    content: [`The answer is not as the service describes it: ${problem}`, ...content],
    isError: true,
  })
}

const cutResult = (answer: ServiceAnswer): ToolResult =>
  new ToolResult({
    content: [`The answer is longer than ${answer.bytes.length} bytes. Ask for less. It begins:`, textOf(answer)],
    isError: true,
  })

/** Undefined if the answer is no JSON, whatever it calls itself. */
function parseJson(answer: ServiceAnswer): unknown {
  const says = /json$/.test(answer.mediaType)
  if (!says && answer.mediaType !== '' && answer.mediaType !== 'text/plain') return undefined
  try {
    const data: unknown = JSON.parse(textOf(answer))
    return says || (typeof data === 'object' && data !== null) ? data : undefined
  } catch {
    return undefined
  }
}

/** An answer without data: a document, a picture, a file, or nothing. A tool that promised data has to say so. */
function otherResult(
  { method, path }: Operation,
  output: OutputSchema | undefined,
  { status, statusText }: Response,
  answer: ServiceAnswer,
): ToolResult {
  if (answer.bytes.length === 0) {
    const said = `${method.toUpperCase()} ${path}: ${status} ${statusText}`.trim()
    return new ToolResult({ content: said, ...(output !== undefined && { structured: {} }) })
  }
  return new ToolResult({ content: [blockOf(answer, path)], ...(output !== undefined && { structured: {} }) })
}

function blockOf(answer: ServiceAnswer, path: string): ContentBlock {
  const { bytes, mediaType } = answer
  if (isText(mediaType)) return text(textOf(answer))
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)) return image(bytes, mediaType)
  if (mediaType.startsWith('audio/')) return audio(bytes, mediaType)
  return embed({ uri: `openapi:${path}`, mimeType: mediaType, blob: bytes })
}

/** The result of a call that the service refused. */
export function failureResult(
  { method, path, failures }: Operation,
  response: Response,
  answer: ServiceAnswer,
): ToolResult {
  const { status, statusText, headers } = response
  const meaning = failures.get(String(status)) ?? failures.get(`${String(status)[0]}xx`) ?? failures.get('default')
  const retry = headers.get('retry-after')
  const said = [
    `${method.toUpperCase()} ${path} failed: ${status} ${statusText}`.trim(),
    ...(meaning === undefined ? [] : [meaning.slice(0, 500)]),
    ...(retry === null ? [] : [`Try again after ${/^\d+$/.test(retry) ? `${retry} s` : retry.slice(0, 40)}`]),
  ]
  const body = isText(answer.mediaType) ? textOf(answer).slice(0, 8_000).trim() : ''
  return new ToolResult({ content: [said.join('. '), ...(body === '' ? [] : [body])], isError: true })
}
