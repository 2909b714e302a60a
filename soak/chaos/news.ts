import type { Client } from '@tenon/sdk/client'
import type { Revision } from '@tenon/sdk/server'
import { open, type Stage } from './user.ts'

/** Longer than any trouble, its recovery and a busy machine together. */
const patienceMs = 30_000

/** A client that watches a resource for all the time. */
export interface Watcher {
  readonly revision: Revision
  readonly client: Client
  heard: number
}

/** Changes a resource, and waits until every watcher has heard of it, again and again. Returns how often. */
export async function tellNews(stage: Stage, watchers: readonly Watcher[]): Promise<number> {
  let rounds = 0
  try {
    while (!stage.stopped) if (await tell(stage, watchers[rounds % watchers.length]!.revision, watchers)) rounds++
    return rounds
  } finally {
    await Promise.all(watchers.map(({ client }) => client.close()))
  }
}

/** Begins to watch, while there is no trouble yet. */
export async function watch(stage: Stage, revision: Revision): Promise<Watcher> {
  let client: Client | undefined
  while (client === undefined) client = await open(stage, revision)
  const watcher: Watcher = { revision, client, heard: 0 }
  await client.watch('note:///board', () => {
    watcher.heard++
  })
  return watcher
}

async function tell(stage: Stage, revision: Revision, watchers: readonly Watcher[]): Promise<boolean> {
  const client = await open(stage, revision)
  if (client === undefined) return false
  try {
    const before = watchers.map(({ heard }) => heard)
    const told = await stage.outcomes.attempt(`${revision} touch`, () => client.callTool('touch'))
    if (told === undefined) return false
    const began = performance.now()
    const end = began + patienceMs
    const deaf = (): Watcher[] => watchers.filter(({ heard }, index) => heard === before[index])
    while (deaf().length > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
    for (const watcher of deaf())
      stage.outcomes.problem(`a client of ${watcher.revision} did not hear of a change within ${patienceMs / 1_000} s`)
    stage.slowestNewsMs = Math.max(stage.slowestNewsMs, performance.now() - began)
    return true
  } finally {
    await client.close()
  }
}
