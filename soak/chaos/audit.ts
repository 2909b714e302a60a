import type { Client } from '@tenon/sdk/client'
import type { Revision } from '@tenon/sdk/server'
import { type Outcomes, readLedger, reasonOf } from './outcomes.ts'
import { type KnownTask, open, resultOf, type Stage } from './user.ts'

/** Longer than leases, back-off and a busy machine take. */
const patienceMs = 90_000

/** Looks at everything after the troubles: each task has ended as its tool allows, and nothing took place too often. */
export async function audit(stage: Stage, revisions: readonly Revision[], ledger: string): Promise<void> {
  for (const revision of revisions) await recovered(stage, revision)
  const clients = new Map<Revision, Client>()
  const left = stage.tasks.filter(({ ended }) => !ended)
  for (const task of left) {
    const client = clients.get(task.revision) ?? (await open(stage, task.revision))
    if (client === undefined) continue
    clients.set(task.revision, client)
    await endOf(stage.outcomes, client, task)
  }
  for (const client of clients.values()) await client.close()
  judge(stage, readLedger(ledger))
}

/** Every process answers again, by itself. */
async function recovered(stage: Stage, revision: Revision): Promise<void> {
  const end = performance.now() + patienceMs
  for (let row = 0; row < 8 && performance.now() < end; ) {
    const client = await open(stage, revision)
    const isFine = await client?.callTool('echo', { id: 'again' }).then(
      ({ text }) => text === 'again',
      () => false,
    )
    await client?.close()
    row = isFine ? row + 1 : 0
    if (row === 8) return
  }
  stage.outcomes.problem(`${revision}: calls still fail ${patienceMs / 1_000} s after the last trouble`)
}

async function endOf(outcomes: Outcomes, client: Client, task: KnownTask): Promise<void> {
  const { tool, revision, taskId } = task
  const what = `${revision} ${tool} ${taskId}`
  try {
    const { text } = await client.tasks.result(taskId, { tool, maxTotalMs: patienceMs })
    if (text !== resultOf(task)) outcomes.problem(`${what}: expected ${resultOf(task)}, got ${text}`)
    task.ended = true
  } catch (error) {
    if (tool === 'fragile' && reasonOf(error) === 'interrupted') return
    outcomes.problem(`${what} is lost: ${String(error)} ${JSON.stringify((error as { data?: unknown }).data ?? '')}`)
  }
}

function judge({ outcomes, tasks, answered }: Stage, counts: ReadonlyMap<string, number>): void {
  for (const [entry, times] of counts)
    if (times > 1 && !entry.startsWith('repeatable')) outcomes.problem(`${entry} took place ${times} times`)
  for (const entry of answered) if (!counts.has(entry)) outcomes.problem(`${entry} was answered and did not take place`)
  for (const { tool, id, ended } of tasks)
    if (ended && tool !== 'steps' && !counts.has(`${tool} ${id}`))
      outcomes.problem(`${tool} ${id} was answered and did not run`)
}
