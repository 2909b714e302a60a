import { Budget, type Hold } from '../../../internal/budget.ts'
import { heapBytesOf } from '../../../internal/heap-size.ts'
import type { TaskRecord, TaskStore } from './task-store.ts'

interface CachedJson {
  readonly record: TaskRecord
  readonly hold: Hold
}

/** A record that changes by less than this always can: a task has to be able to end when nothing is left. */
const slackBytes = 4096

/**
 * Keeps tasks for as long as the process lives. How many there may be is up to the server: see `tasks.maxTasks`; their
 * bytes are a share of `limits.maxKeptBytes`.
 */
export function memoryTaskStore(): TaskStore {
  const owners = new Map<string, Map<string, CachedJson>>()
  let budget = new Budget(Number.MAX_SAFE_INTEGER)
  return {
    useBudget(given) {
      budget = given
    },
    create(record) {
      const kept = { record, hold: budget.need('tasks', heapBytesOf(record)) }
      const own = owners.get(record.owner) ?? new Map<string, CachedJson>()
      owners.set(record.owner, own.set(record.id, kept))
    },
    get: (owner, id) => owners.get(owner)?.get(id)?.record,
    replace(record) {
      const own = owners.get(record.owner)
      const before = own?.get(record.id)
      if (own === undefined || before?.record.version !== record.version - 1) return false
      const { hold } = before
      const bytes = heapBytesOf(record)
      if (bytes <= hold.bytes + slackBytes) hold.set(bytes)
      else if (!hold.resize(bytes)) throw budget.usedUp('tasks')
      own.set(record.id, { record, hold })
      return true
    },
    delete(owner, id) {
      const own = owners.get(owner)
      own?.get(id)?.hold.release()
      own?.delete(id)
      if (own?.size === 0) owners.delete(owner)
    },
    list: (owner) => (owner === undefined ? [...owners.keys()] : [owner]).flatMap((one) => recordsOf(owners.get(one))),
    count: (owner) =>
      owner === undefined
        ? [...owners.values()].reduce((sum, own) => sum + own.size, 0)
        : (owners.get(owner)?.size ?? 0),
  }
}

const recordsOf = (own: Map<string, CachedJson> | undefined): TaskRecord[] =>
  [...(own?.values() ?? [])].map(({ record }) => record)
