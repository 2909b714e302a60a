import { visibleLine } from '@tenon/sdk/display'
import type { Thought } from './chain.ts'

/** One line per thought for the operator. Thoughts are text of others: nothing in them controls the terminal. */
export function thoughtLine(chainId: string, thought: Thought): string {
  const { thoughtNumber, totalThoughts, isRevision, revisesThought, branchFromThought, branchId } = thought
  const kind =
    isRevision === true
      ? `Revision of thought ${revisesThought ?? '?'}`
      : branchFromThought === undefined
        ? 'Thought'
        : `Branch ${visibleLine(branchId ?? '?')} from thought ${branchFromThought}`
  return `[${chainId.slice(0, 8)}] ${kind} ${thoughtNumber}/${totalThoughts}: ${visibleLine(thought.thought)}\n`
}
