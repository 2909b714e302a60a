import { visibleLine } from '@tenon/sdk/display'
import type { Chain, TreeThought } from './chain.ts'

const label = ({ thoughtNumber, totalThoughts, isRevision, revisesThought, branchId }: TreeThought): string =>
  [
    `${thoughtNumber}/${totalThoughts}`,
    ...(isRevision === true ? [`revises ${revisesThought ?? 'an earlier thought'}`] : []),
    ...(branchId === undefined ? [] : [`branch ${visibleLine(branchId)}`]),
  ].join(', ')

/** The chain as a tree in text: a thought that has several after it is followed by all of them, further in. */
export function treeText(chain: Chain): string {
  const thoughts = chain.tree()
  const children = new Map<number | undefined, TreeThought[]>()
  for (const thought of thoughts) children.set(thought.parent, [...(children.get(thought.parent) ?? []), thought])
  const lines: string[] = []
  // A list of its own instead of recursion: a chain may be a thousand thoughts deep.
  const open: { thought: TreeThought; depth: number }[] = []
  const push = (parent: number | undefined, depth: number): void => {
    const next = children.get(parent) ?? []
    // The main line goes on at the same depth; branches are further in, and come first.
    const [main, branches] = [
      next.filter(({ branchId }) => branchId === undefined),
      next.filter(({ branchId }) => branchId),
    ]
    const isMain = parent === undefined || thoughts[parent]!.branchId === undefined
    for (const thought of main.toReversed()) open.push({ thought, depth })
    for (const thought of branches.toReversed()) open.push({ thought, depth: isMain ? depth + 1 : depth })
  }
  push(undefined, 0)
  while (open.length > 0) {
    const { thought, depth } = open.pop()!
    lines.push(`${'  '.repeat(depth)}- ${label(thought)}: ${visibleLine(thought.thought)}`)
    push(thought.place, depth)
  }
  return lines.join('\n')
}
