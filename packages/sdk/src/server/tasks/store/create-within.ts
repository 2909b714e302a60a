import type { TaskRecord, TaskRoom, TaskStore } from './task-store.ts'

/** Adds a record if there is room for one more; else says where there is none. */
export async function createWithin(
  store: TaskStore,
  record: TaskRecord,
  room: TaskRoom,
): Promise<keyof TaskRoom | undefined> {
  if (store.createWithin !== undefined) return store.createWithin(record, room)
  const { perOwner, inAll } = room
  const [own, all] = await Promise.all([perOwner === undefined ? 0 : store.count(record.owner), store.count()])
  if (perOwner !== undefined && own >= perOwner) return 'perOwner'
  if (all >= inAll) return 'inAll'
  await store.create(record)
  return undefined
}
