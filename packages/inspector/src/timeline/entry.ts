import type { RowKind, RowStatus, TimelineRow } from '../protocol.ts'

/** A message as it is kept: its text, and the members that queries use most. */
export interface Entry {
  readonly id: number
  readonly server: string
  /** Which connection to the server it belongs to: ids begin anew with each. */
  readonly connection: number
  readonly at: number
  readonly from: 'client' | 'server'
  readonly kind: RowKind
  method: string
  name: string | undefined
  readonly rpcId: string | number | undefined
  status: RowStatus | undefined
  durationMs: number | undefined
  pair: number | undefined
  /** The request that it belongs to: a question of a call, a report about it, another round of it. */
  parent: number | undefined
  /** The id of the trace that it says to be part of. */
  trace: string | undefined
  /** Why a request has no answer, or its answer was not taken. */
  reason: string | undefined
  /** The message in a few words. */
  summary: string | undefined
  /** The entry that stands for this one in a list, because it says the same. */
  fold: number | undefined
  /** How many entries this one stands for, besides itself. */
  repeats: number
  /** The payload as JSON: it takes less memory than the object, and queries search in it. */
  text: string
}

const maxRpcId = 500

/** An entry in short, for the page. */
export function toRow({ id, server, at, from, kind, method, text, ...rest }: Entry): TimelineRow {
  const { name, rpcId, status, durationMs, pair, parent, trace, reason, summary, repeats } = rest
  return {
    id,
    server,
    at,
    from,
    kind,
    method,
    bytes: text.length,
    ...(name !== undefined && { name }),
    ...(rpcId !== undefined && { rpcId: typeof rpcId === 'string' ? rpcId.slice(0, maxRpcId) : rpcId }),
    ...(status !== undefined && { status }),
    ...(durationMs !== undefined && { durationMs }),
    ...(pair !== undefined && { pair }),
    ...(parent !== undefined && { parent }),
    ...(trace !== undefined && { trace }),
    ...(reason !== undefined && { reason }),
    ...(summary !== undefined && { summary }),
    ...(repeats > 0 && { repeats }),
  }
}
