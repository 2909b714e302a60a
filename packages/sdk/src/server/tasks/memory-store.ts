import type { TaskRecord, TaskStore } from './store.ts'

/** Keeps tasks for as long as the process lives. How many there may be is up to the server: see `tasks.maxTasks`. */
export function memoryTaskStore(): TaskStore {
  const owners = new Map<string, Map<string, TaskRecord>>()
  return {
    create(record) {
      const own = owners.get(record.owner) ?? new Map<string, TaskRecord>()
      owners.set(record.owner, own.set(record.id, record))
    },
    get: (owner, id) => owners.get(owner)?.get(id),
    replace(record) {
      const own = owners.get(record.owner)
      if (own?.get(record.id)?.version !== record.version - 1) return false
      own.set(record.id, record)
      return true
    },
    delete(owner, id) {
      const own = owners.get(owner)
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

const recordsOf = (own: Map<string, TaskRecord> | undefined): TaskRecord[] => [...(own?.values() ?? [])]
