import { isObject } from '../jsonrpc/classify.ts'
import type { Tool } from '../model/tools.ts'
import type { AppVisibility } from './vocabulary.ts'

type Listed = Pick<Tool, '_meta'>

/** The `ui://` URI of the view for the results of a tool, if it has one. */
export function appUriOf(tool: Listed): string | undefined {
  const ui = tool._meta?.ui
  // The flat key is deprecated, and servers in the field still send it.
  const uri = (isObject(ui) ? ui.resourceUri : undefined) ?? tool._meta?.['ui/resourceUri']
  return isAppUri(uri) ? uri : undefined
}

/** True if the model may see and call the tool. */
export const isForModel = (tool: Listed): boolean => isVisibleTo(tool, 'model')

/** True if views of the same server may call the tool. */
export const isForApp = (tool: Listed): boolean => isVisibleTo(tool, 'app')

/** True for a URI that can name a view. */
export const isAppUri = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('ui://') && value.length > 5 && URL.canParse(value)

function isVisibleTo(tool: Listed, who: AppVisibility): boolean {
  const ui = tool._meta?.ui
  const visibility = isObject(ui) ? ui.visibility : undefined
  if (visibility === undefined) return true
  // A misspelt limit was meant to limit, so it does not mean all callers.
  return Array.isArray(visibility) && visibility.includes(who)
}
