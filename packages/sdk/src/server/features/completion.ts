import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { CompleteResult } from '../../model/completion.ts'
import type { RequestContext } from '../context.ts'

/** Suggestions, best first; more than 100 are cut, and `hasMore` is set. */
export type CompletionReturn = readonly string[] | { values: readonly string[]; total?: number; hasMore?: boolean }

/** Suggests values for the text so far. `others` are arguments that are already known. */
export type Completer<App = unknown> = (
  typed: string,
  others: Readonly<{ [name: string]: string }>,
  ctx: RequestContext<App>,
) => MaybePromise<CompletionReturn>

const maxValues = 100

/** Brings suggestions into the shape and the bound of the protocol. */
export function completeResult(returned: CompletionReturn): CompleteResult {
  const { values, total, hasMore } = Array.isArray(returned)
    ? { values: returned, total: returned.length, hasMore: undefined }
    : (returned as Exclude<CompletionReturn, readonly string[]>)
  const cut = values.length > maxValues
  return {
    completion: {
      values: values.slice(0, maxValues),
      ...(total !== undefined && { total }),
      hasMore: hasMore ?? (cut || (total !== undefined && total > values.length)),
    },
  }
}
