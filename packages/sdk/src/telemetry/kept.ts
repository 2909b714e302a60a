import type { Budget, KeptFigures, KeptKind } from '../internal/budget.ts'

/** The state that a server keeps, of one kind. */
interface KeptByServer extends KeptFigures {
  readonly server: string
  readonly kind: KeptKind
}

/** Weak, as a server has no end: an unused one is not measured either. */
const shown = new Map<WeakRef<Budget>, string>()

/** Makes the state that a server keeps visible to measurements. */
export function showKept(server: string, budget: Budget): void {
  shown.set(new WeakRef(budget), server)
  if (shown.size % 64 === 0) keptByServers()
}

/** The state that the servers of this process keep for their clients. */
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
