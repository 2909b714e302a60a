import type { AppClient } from '@tenon/sdk/apps/host'
import type { CallOptions, CallToolResult, ReadResourceResult, ToolCallResult } from '@tenon/sdk/client'
import { RpcError } from '@tenon/sdk/server'
import type { Call, Params, Problem } from '../../src/protocol.ts'
import { run } from '../state/api.ts'
import { currentBench, subscribe } from '../state/store.ts'

type ViewOperation = Params<'app.call'>['operation']

/** The client of a view: the backend has the connection, and decides once more which tools are for views. */
export function appClient(server: string): AppClient {
  return {
    async *tools() {
      yield* currentBench().catalogs.get(server)?.tools?.items ?? []
    },
    callTool: async (name, args = {}, options = {}) =>
      toToolResult((await perform(server, { method: 'tools/call', name, arguments: args }, options)) as never),
    readResource: async (uri, options = {}) =>
      (await perform(server, { method: 'resources/read', uri }, options)) as unknown as ReadResourceResult,
  }
}

async function perform(server: string, operation: ViewOperation, options: CallOptions): Promise<object> {
  const { call } = await run('app.call', { server, operation })
  const { outcome } = await ended(call, options)
  if (outcome.kind === 'result') return outcome.result
  throw toError(outcome.problem)
}

/** Waits for the end of a call, and cancels it when the view gives up. */
function ended(id: string, { signal, onProgress }: CallOptions): Promise<Required<Pick<Call, 'outcome'>>> {
  return new Promise((resolve) => {
    const cancel = (): void => void run('call.cancel', { call: id }).catch(() => {})
    let seen: Call['progress']
    const look = (): void => {
      const call = currentBench().calls.get(id)
      if (call?.progress !== undefined && call.progress !== seen) onProgress?.(call.progress)
      seen = call?.progress
      if (call?.outcome === undefined) return
      stop()
      signal?.removeEventListener('abort', cancel)
      resolve({ outcome: call.outcome })
    }
    const stop = subscribe(look)
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
    look()
  })
}

function toToolResult({ content, structuredContent, isError, _meta }: CallToolResult): ToolCallResult {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  const structured = structuredContent
  return { content, structured, structuredContent, isError: isError === true, text, meta: _meta, _meta }
}

const toError = ({ code, message, data }: Problem): Error =>
  typeof code === 'number' ? new RpcError(code, message, data) : new Error(message)
