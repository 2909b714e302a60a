import type { Budget, KeptFigures, KeptKind } from '../internal/budget.ts'

/** What a server keeps of one kind. */
interface KeptByServer extends KeptFigures {
  readonly server: string
  readonly kind: KeptKind
}

/** Weak, as a server has no end: what nobody uses any more is not watched either. */
const shown = new Map<WeakRef<Budget>, string>()

/** Lets whoever measures see what a server keeps. */
export function showKept(server: string, budget: Budget): void {
  shown.set(new WeakRef(budget), server)
  if (shown.size % 64 === 0) keptByServers()
}

/** What the servers of this process keep for their clients. */
export function keptByServers(): KeptByServer[] {
  const all: KeptByServer[] = []
  for (const [reference, server] of shown) {
    const budget = reference.deref()
    if (budget === undefined) shown.delete(reference)
    else
      for (const [kind, kept] of Object.entries(budget.figures)) all.push({ server, kind: kind as KeptKind, ...kept })
  }
  return all
}
