import { hasScopes, refuseScopes } from '../access/scopes.ts'
import type { CallerState } from '../caller-state.ts'
import type { Offers } from '../definition/offers.ts'
import { findTool } from '../features/find-tool.ts'
import type { TaskRecord } from './store/task-store.ts'

/** Whether a caller may use a task of its own: the result of a tool needs the scopes of the tool, as calling it does. */
export function mayUse(caller: CallerState, definition: Offers, { call }: TaskRecord): boolean {
  const scopes = findTool(definition, call.params.name)?.tool.scopes
  return scopes === undefined || hasScopes(caller, scopes.needed)
}

/** Throws an error that names the scopes, unless the caller may not know of the tool. */
export async function refuseTask(caller: CallerState, definition: Offers, { call }: TaskRecord): Promise<void> {
  const found = findTool(definition, call.params.name)
  if (found?.tool.scopes !== undefined) await refuseScopes(caller, found.owner, found.tool.scopes)
}
