import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller-state.ts'
import type { Offers } from '../definition/offers.ts'
import { findTool } from '../features/find-tool.ts'
import { lazyHandlers } from '../features/lazy-handlers.ts'
import { refuseScopes } from './scopes.ts'

const known = new WeakMap<Offers, { version: number; needs: boolean }>()

/** True if something that a server offers needs scopes; worked out once per version of its lists. */
export function needsScopes(definition: Offers): boolean {
  const found = known.get(definition)
  if (found?.version === definition.version) return found.needs
  const needs =
    [...definition.tools, ...definition.prompts, ...definition.resources].some((item) => item.scopes !== undefined) ||
    definition.mounts.some((mount) => needsScopes(mount.definition))
  known.set(definition, { version: definition.version, needs })
  return needs
}

/** Throws as answering the request would, as far as scopes go; everything else is checked later. */
export async function checkScopes(
  caller: CallerState,
  definition: Offers,
  method: string,
  { name, uri }: JsonObject,
): Promise<void> {
  if (method === 'tools/call') {
    const found = findTool(definition, name)
    if (found?.tool.scopes !== undefined) await refuseScopes(caller, found.owner, found.tool.scopes)
  } else if (method === 'prompts/get' && typeof name === 'string') {
    await lazyHandlers(({ findPrompt }) => findPrompt({ caller }, definition, name))
  } else if ((method === 'resources/read' || method === 'resources/subscribe') && typeof uri === 'string') {
    await lazyHandlers(async ({ canRead, unreadable }) => {
      if (!(await canRead(caller, definition, uri))) await unreadable(caller, definition, uri)
    })
  }
}
