import { ErrorCode, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CompleteParams } from '../../model/completion.ts'
import { refuseScopes } from '../access/scopes.ts'
import type { Offers } from '../definition/offers.ts'
import type { Call } from '../dispatch/call.ts'
import { type Completer, completeResult } from './completion.ts'
import { findPrompt, unknownPrompt } from './get-prompt.ts'

interface Completable {
  completers: ReadonlyMap<string, Completer<never>>
  names: readonly string[]
  definition: Offers
}

/** Suggests values for an argument of a prompt or a variable of a resource template. */
export function answerComplete(call: Call, definition: Offers, params: JsonObject): Promise<JsonObject> {
  return definition.layers.run(
    'completion/complete',
    params,
    () => call.contextOf(definition),
    async (current) => {
      const { ref, argument, context } = current as unknown as CompleteParams
      const target = await findTarget(call, definition, ref)
      if (target === undefined) {
        const result = await call.parts?.pass(call, current)
        if (result === undefined) throw unknownTarget(ref)
        return result
      }
      if (!target.names.includes(argument.name)) {
        const known = target.names.length > 0 ? target.names.join(', ') : 'none'
        throw new RpcError(
          ErrorCode.InvalidParams,
          `Unknown argument ${JSON.stringify(argument.name)}: expected one of ${known}`,
        )
      }
      const completer = target.completers.get(argument.name)
      if (completer === undefined) return completeResult([]) as unknown as JsonObject
      const ctx = await call.contextOf(target.definition)
      return completeResult(await completer(argument.value, context?.arguments ?? {}, ctx)) as unknown as JsonObject
    },
  )
}

const unknownTarget = (ref: CompleteParams['ref']): RpcError =>
  ref.type === 'ref/resource'
    ? new RpcError(ErrorCode.InvalidParams, `Unknown resource template: ${JSON.stringify(ref.uri)}`)
    : unknownPrompt(ref.name)

async function findTarget(
  call: Call,
  definition: Offers,
  ref: CompleteParams['ref'],
): Promise<Completable | undefined> {
  if (ref.type === 'ref/resource') return findTemplate(call, definition, ref.uri)
  const found = await findPrompt(call, definition, ref.name)
  if (found === undefined) return undefined
  const { completers, listed } = found.prompt
  return { completers, names: (listed.arguments ?? []).map(({ name }) => name), definition: found.definition }
}

async function findTemplate(call: Call, definition: Offers, uri: string): Promise<Completable | undefined> {
  const item = definition.resources.get(uri)
  if (item?.scopes !== undefined) await refuseScopes(call.caller, definition, item.scopes)
  if (item !== undefined && (await definition.sees(call.caller, item.visible))) {
    if (item.kind === 'resource') return { completers: new Map(), names: [], definition }
    return { completers: item.completers, names: item.template.variables, definition }
  }
  for (const mount of definition.mounts) {
    const found = await findTemplate(call, mount.definition, uri)
    if (found !== undefined) return found
  }
  return undefined
}
