import type { Upstream } from '@tenon/bridge'
import { type Client, connect, type JsonObject } from '@tenon/sdk/client'
import { listByKind } from '../catalogue/kinds.ts'
import type { GatewayItem } from '../model.ts'

/** The most items of one kind that are taken: an upstream could go on for ever. */
const maxItems = 20_000

/** Everything that an upstream offers, asked without the credentials of anybody. */
export async function offeredBy(
  name: string,
  { target, connect: options = {} }: Upstream,
  timeoutMs = 10_000,
): Promise<GatewayItem[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  await using client = await connect(target, { ...options, timeoutMs, signal })
  const { tools, prompts, resources } = client.server.capabilities
  const lists: [GatewayItem['kind'], unknown, (client: Client) => AsyncGenerator<object>][] = [
    ['tool', tools, (from) => from.tools({ signal })],
    ['prompt', prompts, (from) => from.prompts({ signal })],
    ['resource', resources, (from) => from.resources({ signal })],
    ['template', resources, (from) => from.resourceTemplates({ signal })],
  ]
  const items: GatewayItem[] = []
  for (const [kind, capability, list] of lists) {
    if (capability === undefined) continue
    const member = listByKind.get(kind)!.name
    let count = 0
    for await (const definition of list(client)) {
      if (++count > maxItems) break
      const named = (definition as JsonObject)[member]
      if (typeof named === 'string')
        items.push({ kind, upstream: name, name: named, definition: definition as JsonObject })
    }
  }
  return items
}
