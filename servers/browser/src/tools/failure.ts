import { stripVTControlCharacters } from 'node:util'
import { isToolError, ToolError } from '@tenon/sdk/server'
import { shortened } from '../session/journal.ts'

/** The error for the model: what failed, why, and how to go on. A call that the client cancelled keeps its own reason. */
export function failure(what: string, error: unknown, signal: AbortSignal, advice = ''): unknown {
  if (signal.aborted) return signal.reason
  if (isToolError(error)) return error
  const { name, message } = error as Error
  const plain = stripVTControlCharacters(message).replace(/^\w+\.\w+: /, '')
  const [first = '', log = ''] = plain.split('\nCall log:\n', 2)
  const lines = log.split('\n').map((line) => line.trim())
  // The last lines say how far it came; the others repeat themselves.
  const tail =
    name === 'TimeoutError' ? ` (${[...new Set(lines.filter((line) => line !== ''))].slice(-3).join(' ')})` : ''
  return new ToolError(`Failed to ${what}: ${shortened(`${first.trim()}${tail}`, 600)}${advice && ` ${advice}`}`)
}

export const seeSnapshot = 'browser_snapshot shows the elements of the page.'
