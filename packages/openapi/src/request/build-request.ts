import { ToolError } from '@tenon/sdk/server'
import type { Argument } from '../arguments.ts'
import type { Operation, Parameter } from '../document/operation.ts'
import { type EncodedBody, encodeBody } from './encode-body.ts'
import { inPath, inQuery } from './serialize.ts'

/** A request as it is sent, before credentials are added. */
export interface ServiceRequest {
  readonly url: URL
  readonly headers: Headers
  readonly cookies: [string, string][]
  readonly body: EncodedBody['body']
}

/** Puts the arguments of a call into the places of the request. */
export function buildRequest(
  operation: Operation,
  base: URL,
  list: readonly Argument[],
  args: { readonly [name: string]: unknown },
): ServiceRequest {
  const given = list.filter(({ name }) => Object.hasOwn(args, name) && args[name] !== undefined)
  const headers = new Headers({ accept: 'application/json, text/*;q=0.9, */*;q=0.5' })
  const query: [string, string][] = []
  const cookies: [string, string][] = []
  let path = operation.path
  let body: EncodedBody['body']
  for (const argument of given) {
    const value = args[argument.name]
    if ('body' in argument) {
      const encoded = encodeBody(argument.body, value)
      body = encoded.body
      if (encoded.type !== undefined) headers.set('content-type', encoded.type)
      continue
    }
    const { parameter } = argument
    if (parameter.place === 'path') path = fillPath(path, parameter, value, argument.name)
    else if (parameter.place === 'query') query.push(...inQuery(parameter, value))
    else if (parameter.place === 'cookie') cookies.push(...inQuery(parameter, value))
    else setHeader(headers, parameter, value, argument.name)
  }
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`
  for (const [name, value] of query) url.searchParams.append(name, value)
  return { url, headers, cookies, body }
}

/** A value is never more than its part of the path: `..` would lead to an operation that nobody offered. */
function fillPath(path: string, parameter: Parameter, value: unknown, argument: string): string {
  const text = inPath(parameter, value, encodeURIComponent)
  const filled = path.replaceAll(`{${parameter.name}}`, () => text)
  const isOutside = filled.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part))
  if (text === '' || isOutside) {
    throw new ToolError(`${argument}: expected a value that can be a part of a path, got ${JSON.stringify(value)}`)
  }
  return filled
}

function setHeader(headers: Headers, parameter: Parameter, value: unknown, argument: string): void {
  try {
    headers.set(
      parameter.name,
      inPath(parameter, value, (text) => text),
    )
  } catch {
    throw new ToolError(`${argument}: expected a value that can be a header, got ${JSON.stringify(value)}`)
  }
}
