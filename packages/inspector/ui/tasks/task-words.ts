import type { Task, TaskStatus, Tool } from '@tenon/sdk/client'
import type { TaskView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { toolTitle } from '../tools/tool-list.ts'
import { shortId } from './task-list.ts'

/** The words and the colour of a status. */
export const taskStatusWords: { [Status in TaskStatus]: { text: string; tone: string } } = {
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

/** The title of a task. */
export const taskTitle = ({ tool: name, task }: TaskView, tool: Tool | undefined): string =>
  visible(tool === undefined ? (name ?? `Task ${shortId(task.taskId)}`) : toolTitle(tool))

/** A moment as people read it: the time, and the day unless it is today. Servers write them, so they can be anything. */
export function moment(text: string): string {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return visible(text)
  const time = date.toLocaleTimeString('en-GB')
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString('en-CA')} ${time}`
}

const units: readonly [ms: number, name: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
]

/** A duration in its two largest units: 10 min, 1 min 30 s, 2 d 4 h. */
export function about(ms: number): string {
  const at = units.findIndex(([unit]) => ms >= unit)
  if (at === -1) return `${Math.round(ms)} ms`
  const [large, name] = units[at]!
  const next = units[at + 1]
  const rest = next === undefined ? 0 : Math.floor((ms % large) / next[0])
  return `${Math.floor(ms / large)} ${name}${rest > 0 ? ` ${rest} ${next![1]}` : ''}`
}

/** When a server may forget a task; undefined if never, or if that is not known. */
export function forgottenAt({ createdAt, ttlMs }: Task): number | undefined {
  const created = Date.parse(createdAt)
  return ttlMs === null || Number.isNaN(created) ? undefined : created + ttlMs
}
