import type { ChangeKind, JsonObject } from '@tenon/sdk/client'
import type { BackendListening, ListenFilter } from '@tenon/sdk/relay'
import type { Link } from './link.ts'

type Tell = (method: string, params: JsonObject) => void

/** A task that somebody looks after. */
interface Followed {
  onChange(listener: () => void): () => void
  seen(): Promise<JsonObject>
}

const listFields: readonly [keyof ListenFilter, ChangeKind][] = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
]

/** Tells a client without a session what it asked for, as far as the server tells of it. */
export async function listenOn(
  link: Link,
  filter: ListenFilter,
  tell: Tell,
  followed: (taskId: string) => Followed | undefined,
): Promise<BackendListening> {
  const { client } = link
  const { capabilities } = client.server
  const stops: (() => unknown)[] = []
  const honoured: ListenFilter = {}
  for (const [field, kind] of listFields) {
    if (filter[field] !== true || capabilities[kind]?.listChanged !== true) continue
    Object.assign(honoured, { [field]: true })
    stops.push(client.onChange(kind, () => tell(`notifications/${kind}/list_changed`, {})))
  }
  const uris = await some(filter.resourceSubscriptions, async (uri) => {
    const watch = await client.watch(uri, (update) => tell('notifications/resources/updated', { ...update }))
    stops.push(() => watch.close())
  })
  const taskIds = await some(filter.taskIds, async (id) => stops.push(await hearOfTask(id, link, tell, followed(id))))
  if (uris.length > 0) honoured.resourceSubscriptions = uris
  if (taskIds.length > 0) honoured.taskIds = taskIds
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((each) => each()))
  }
  return { honoured, ended: link.closed, stop }
}

async function hearOfTask(id: string, link: Link, tell: Tell, followed: Followed | undefined): Promise<() => void> {
  if (followed !== undefined) return followed.onChange(() => void tellOf(followed, tell))
  if (link.client.asksLive) throw new Error(`Nobody tells of the task ${id}`)
  const stopTold = link.onTaskNews((method, task) => task.taskId === id && tell(method, task))
  const stopWatch = await link.client.watchTask(id).catch((error: unknown) => {
    stopTold()
    throw error
  })
  return () => {
    stopTold()
    stopWatch()
  }
}

async function tellOf(task: Followed, tell: Tell): Promise<void> {
  const seen = await task.seen().catch(() => undefined)
  if (seen !== undefined) tell('notifications/tasks', seen)
}

/** Those that can be subscribed to, one after the other: a list may be long. */
async function some(
  wanted: readonly string[] | undefined,
  subscribe: (one: string) => Promise<unknown>,
): Promise<string[]> {
  const granted: string[] = []
  for (const one of new Set(wanted)) {
    try {
      await subscribe(one)
      granted.push(one)
    } catch {
      // What the server does not tell of is left out of the acknowledgement.
    }
  }
  return granted
}
