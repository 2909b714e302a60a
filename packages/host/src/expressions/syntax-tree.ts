import type { ASTNode } from '@marcbachmann/cel-js'

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value

/** The nodes directly below a node. */
export function argumentsOf({ op, args }: ASTNode): ASTNode[] {
  if (op === 'value' || op === 'id') return []
  return isNode(args) ? [args] : (args as readonly unknown[]).flat(2).filter(isNode)
}

/** A node and all below it. */
export function* syntaxNodes(node: ASTNode): Generator<ASTNode> {
  yield node
  for (const below of argumentsOf(node)) yield* syntaxNodes(below)
}
