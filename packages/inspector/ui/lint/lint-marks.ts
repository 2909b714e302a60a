import { useSyncExternalStore } from 'react'
import type { Call, LintMark } from '../../src/protocol.ts'
import { run } from '../state/api.ts'
import type { Bench } from '../state/bench.ts'
import { currentBench, subscribe as subscribeToBench } from '../state/store.ts'

/** What the marks of a server were asked for: another list, or another ended call, is a reason to ask again. */
interface Asked {
  catalogs: unknown
  calls: number
}

let marks: ReadonlyMap<string, ReadonlyMap<string, LintMark>> = new Map()
const asked = new Map<string, Asked>()
const listeners = new Set<() => void>()
let stop: (() => void) | undefined
let countedIn: Bench['calls'] | undefined
let ended = new Map<string, number>()

/** How many calls of each server have ended. */
function endedCalls({ calls }: Bench): Map<string, number> {
  if (calls === countedIn) return ended
  countedIn = calls
  ended = new Map()
  for (const { server, outcome } of calls.values() as Iterable<Call>) {
    if (outcome !== undefined) ended.set(server, (ended.get(server) ?? 0) + 1)
  }
  return ended
}

/** Asks for the marks of every connected server whose lists, or calls, are others than before. */
function refresh(): void {
  const bench = currentBench()
  for (const { id, status } of bench.servers) {
    const catalogs = bench.catalogs.get(id)
    if (status !== 'connected' || catalogs === undefined || Object.values(catalogs).some(({ loading }) => loading))
      continue
    const calls = endedCalls(bench).get(id) ?? 0
    const before = asked.get(id)
    if (before?.catalogs === catalogs && before.calls === calls) continue
    asked.set(id, { catalogs, calls })
    void ask(id)
  }
}

async function ask(server: string): Promise<void> {
  const found = await run('lint.marks', { server }).catch(() => undefined)
  if (found === undefined) return
  marks = new Map(marks).set(server, new Map(found.marks.map((mark) => [`${mark.kind} ${mark.name}`, mark])))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (stop === undefined) {
    stop = subscribeToBench(refresh)
    refresh()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop?.()
    stop = undefined
  }
}

/** The errors and warnings about one thing that a server lists, if there are any. */
export const useLintMark = (server: string, kind: LintMark['kind'], name: string): LintMark | undefined =>
  useSyncExternalStore(subscribe, () => marks.get(server)?.get(`${kind} ${name}`))
