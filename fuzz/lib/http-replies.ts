import { assert, show } from './target.ts'

export interface HttpReply {
  status: number
  headers: Map<string, string>
  body: string
}

/** Reads replies one after the other, strictly: anything that a careful client would refuse is an error. */
export function readReplies(text: string, isHead: boolean): HttpReply[] {
  const replies: HttpReply[] = []
  let rest = text
  while (rest !== '') {
    const { reply, after } = readReply(rest, isHead)
    replies.push(reply)
    rest = after
  }
  return replies
}

function readReply(text: string, isHead: boolean): { reply: HttpReply; after: string } {
  const end = text.indexOf('\r\n\r\n')
  assert(end >= 0, `a head without an end: ${show(text)}`)
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]+$/.exec(first) ?? []
  assert(status !== undefined, `no status line: ${show(first)}`)
  const headers = new Map(lines.map(readHeader))
  const { body, after } = readBody(text.slice(end + 4), headers, Number(status), isHead)
  const reply = { status: Number(status), headers, body }
  if (/json/.test(headers.get('content-type') ?? '') && body !== '') JSON.parse(Buffer.from(body, 'latin1').toString())
  return { reply, after }
}

function readHeader(line: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): ?([\t\x20-\x7e]*)$/.exec(line) ?? []
  assert(name !== undefined, `no header: ${show(line)}`)
  return [name.toLowerCase(), value!]
}

function readBody(
  text: string,
  headers: Map<string, string>,
  status: number,
  isHead: boolean,
): { body: string; after: string } {
  // The caller left when it saw a stream.
  if (headers.get('content-type')?.startsWith('text/event-stream')) return { body: '', after: '' }
  if (isHead || status === 204 || status < 200) return { body: '', after: text }
  const length = headers.get('content-length')
  if (length !== undefined) {
    assert(text.length >= Number(length), `${text.length} bytes of ${length}`)
    return { body: text.slice(0, Number(length)), after: text.slice(Number(length)) }
  }
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(text)
  // Neither a length nor chunks: the body ends with the connection.
  return { body: text, after: '' }
}

function readChunks(text: string): { body: string; after: string } {
  let body = ''
  let rest = text
  while (true) {
    const [line, size] = /^([0-9a-f]+)\r\n/i.exec(rest) ?? []
    assert(line !== undefined, `no chunk: ${show(rest)}`)
    const length = Number.parseInt(size!, 16)
    body += rest.slice(line.length, line.length + length)
    rest = rest.slice(line.length + length)
    assert(rest.startsWith('\r\n'), `a chunk without an end: ${show(rest)}`)
    rest = rest.slice(2)
    if (length === 0) return { body, after: rest }
  }
}
