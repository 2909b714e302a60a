import { RequestProblem } from '../problem.ts'
import type { Operation } from '../protocol.ts'
import { readObject, readOneOf, readText, readTextRecord } from '../read-params.ts'

const methods = ['tools/call', 'resources/read', 'prompts/get', 'request'] as const

/** Reads an operation of the page. */
export function readOperation(value: unknown): Operation {
  const raw = readObject('operation', value)
  const method = readOneOf(raw, 'method', methods)
  switch (method) {
    case 'tools/call':
      return {
        method,
        name: readText(raw, 'name'),
        arguments: readObject('arguments', raw.arguments),
        ...(raw.task === true && { task: true }),
      }
    case 'resources/read':
      return { method, uri: readText(raw, 'uri') }
    case 'prompts/get':
      return { method, name: readText(raw, 'name'), arguments: readTextRecord(raw, 'arguments') }
    case 'request': {
      const name = readText(raw, 'name')
      // The library does the handshake; a second one would confuse both sides.
      if (name === 'initialize') throw new RequestProblem('initialize cannot be sent: connect again instead')
      return { method, name, params: readObject('params', raw.params) }
    }
  }
}
