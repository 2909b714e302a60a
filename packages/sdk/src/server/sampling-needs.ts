import type { ClientCapabilities } from '../model/capabilities.ts'
import type { CreateMessageParams } from '../model/sampling.ts'

/** What a client must have declared to be asked for this message. */
export function samplingNeeds({ tools, toolChoice, includeContext }: CreateMessageParams): ClientCapabilities {
  const wantsContext = includeContext !== undefined && includeContext !== 'none'
  return { sampling: { ...((tools || toolChoice) && { tools: {} }), ...(wantsContext && { context: {} }) } }
}
