import { McpError } from '../../errors.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { CreateMessageParams } from '../../model/sampling.ts'

/** The capabilities that a client must have declared for this message. */
export function samplingCapabilities({ tools, toolChoice, includeContext }: CreateMessageParams): ClientCapabilities {
  const wantsContext = includeContext !== undefined && includeContext !== 'none'
  return { sampling: { ...((tools || toolChoice) && { tools: {} }), ...(wantsContext && { context: {} }) } }
}

const priorities = ['costPriority', 'speedPriority', 'intelligencePriority'] as const

/** Throws an error if a priority of the model preferences is not between 0 and 1. */
export function assertPriorities({ modelPreferences = {} }: CreateMessageParams): void {
  for (const name of priorities) {
    const value = modelPreferences[name] ?? 0
    if (value >= 0 && value <= 1) continue
    throw new McpError('invalid_argument', `modelPreferences.${name}: expected a number from 0 to 1, got ${value}`)
  }
}
