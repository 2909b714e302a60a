import type { CompletionReference } from '@tenon/sdk/client'
import { readOperation } from '../calls/read-operation.ts'
import { readNumberIfAny, readObject, readOneOf, readText, readTextRecord } from '../read-params.ts'
import type { Handlers, Named } from './command.ts'
import { serverOf } from './server-commands.ts'

export const callCommands: Handlers<Named<'call' | 'resource'> | 'complete'> = {
  'call.start': (params, bench) => {
    const server = serverOf(params, bench)
    const timeoutMs = readNumberIfAny(params, 'timeoutMs', 1)
    return { call: bench.calls.start(server.id, server.client, readOperation(params.operation), timeoutMs) }
  },
  'call.cancel': (params, bench) => {
    bench.calls.cancel(readText(params, 'call'))
    return {}
  },
  complete: async (params, bench) => {
    const argument = readObject('argument', params.argument)
    const asked = { name: readText(argument, 'name'), value: readText(argument, 'value') }
    const context = params.context === undefined ? {} : { context: { arguments: readTextRecord(params, 'context') } }
    const { client } = serverOf(params, bench)
    const { values, total, hasMore } = await client.complete(readReference(params.ref), asked, context)
    return { values, ...(total !== undefined && { total }), ...(hasMore !== undefined && { hasMore }) }
  },
  'resource.watch': async (params, bench) => {
    await serverOf(params, bench).watch(readText(params, 'uri'))
    return {}
  },
  'resource.unwatch': async (params, bench) => {
    await serverOf(params, bench).unwatch(readText(params, 'uri'))
    return {}
  },
}

function readReference(value: unknown): CompletionReference {
  const raw = readObject('ref', value)
  const type = readOneOf(raw, 'type', ['ref/prompt', 'ref/resource'])
  return type === 'ref/prompt' ? { type, name: readText(raw, 'name') } : { type, uri: readText(raw, 'uri') }
}
