import type { JsonObject } from '@tenon/sdk/client'
import type { GatewayCaller, GatewayItem, GatewayRequest } from '../../src/model.ts'

let count = 0

export const callerOf = (id: string, changed: Partial<GatewayCaller> = {}): GatewayCaller => ({
  id,
  kind: 'token',
  scopes: [],
  groups: [],
  claims: {},
  ...changed,
})

export const toolOf = (name: string, changed: JsonObject = {}, upstream = 'files'): GatewayItem => ({
  kind: 'tool',
  upstream,
  name,
  definition: { name, inputSchema: { type: 'object' }, ...changed },
})

export const requestOf = (
  caller: GatewayCaller,
  item: GatewayItem,
  args: JsonObject = {},
  changed: Partial<GatewayRequest> = {},
): GatewayRequest => ({
  id: `r${++count}`,
  caller,
  server: 'team',
  method: 'tools/call',
  item,
  args,
  signal: new AbortController().signal,
  elicit: undefined,
  ...changed,
})
