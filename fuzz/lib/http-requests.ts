import fc from 'fast-check'
import { cuts } from './mutate.ts'

/** A request as it is written on a socket, right or wrong. */
export interface HttpInput {
  verb: string
  path: string
  headers: string[]
  body: string
  framing: 'length' | 'chunked' | 'none' | 'wrong length'
  places: number[]
}

const verbs = fc.constantFrom(
  'GET',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PUT',
  'post',
  'TRACE',
  'PRI',
  'P\u0000ST',
  '',
)

export const framings: fc.Arbitrary<HttpInput['framing']> = fc.constantFrom(
  'length',
  'length',
  'length',
  'chunked',
  'none',
  'wrong length',
)

/** A header that has caused bugs before, or none at all. */
export const anyHeader: fc.Arbitrary<string> = fc
  .tuple(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 16 }))
  .map((parts) => parts.join(': '))

interface Usual {
  verbs: fc.Arbitrary<string>
  paths: fc.Arbitrary<string>
  headers: fc.Arbitrary<string[]>
  bodies: fc.Arbitrary<string>
}

/** Requests that are mostly normal, with some fault. */
export const httpInputs = ({ verbs: usual, paths, headers, bodies }: Usual): fc.Arbitrary<HttpInput> =>
  fc.record({
    verb: fc.oneof({ weight: 6, arbitrary: usual }, verbs),
    path: paths,
    headers,
    body: bodies,
    framing: framings,
    places: cuts,
  })

export function bytesOf({ verb, path, headers, body, framing }: HttpInput, host: string): Buffer {
  const content = Buffer.from(body)
  const lines = [`${verb} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers]
  if (framing === 'length') lines.push(`Content-Length: ${content.length}`)
  if (framing === 'wrong length') lines.push(`Content-Length: ${content.length + 5}`)
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked')
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (framing !== 'chunked') return Buffer.concat([head, content])
  return Buffer.concat([head, Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')])
}
