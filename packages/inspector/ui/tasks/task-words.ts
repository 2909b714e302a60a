import type { Task, TaskStatus } from '@tenon/sdk/client'
import type { TaskView } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { visible } from '../content/visible.ts'
import { shortId } from './task-list.ts'

/** What a status is called, and how it looks. */
export const statusWords: { [Status in TaskStatus]: { text: string; tone: string } } = {
  working: { text: 'working', tone: 'accent' },
  input_required: { text: 'input required', tone: 'warn' },
  completed: { text: 'completed', tone: 'ok' },
  failed: { text: 'failed', tone: 'danger' },
  cancelled: { text: 'cancelled', tone: '' },
}

export const originWords: { [Origin in TaskView['origin']]: string } = {
  started: 'started in this workbench',
  listed: 'listed by the server',
  added: 'added by its id',
}

/** What a person calls a task. */
export const taskTitle = ({ tool, task }: TaskView, title?: string): string =>
  visible(title ?? tool ?? `Task ${shortId(task.taskId)}`)

/** A moment as people read it: the time, and the day unless it is today. Servers write them, so they can be anything. */
export function moment(text: string): string {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return visible(text)
  const time = date.toLocaleTimeString('en-GB')
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString('en-CA')} ${time}`
}

/** A rounded duration. */
export const about = (ms: number): string =>
  duration(ms < 1_000 ? ms : Math.round(ms / 1_000) * 1_000).replace('.00', '')

/** When a server may forget a task; undefined if never, or if nobody can tell. */
export function forgottenAt({ createdAt, ttlMs }: Task): number | undefined {
  const created = Date.parse(createdAt)
  return ttlMs === null || Number.isNaN(created) ? undefined : created + ttlMs
}
