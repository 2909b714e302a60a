import type { ChangeKind, JsonObject } from '@tenon/sdk/client'
import type { BackendListening, ListenFilter } from '@tenon/sdk/relay'
import type { Link } from './link.ts'

type Tell = (method: string, params: JsonObject) => void

const listFields: readonly [keyof ListenFilter, ChangeKind][] = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
]

/** Tells a client without a session what it asked for, as far as the server tells of it. */
export async function listenOn(link: Link, filter: ListenFilter, tell: Tell): Promise<BackendListening> {
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
  const taskIds = client.asksLive
    ? []
    : await some(filter.taskIds, async (id) => stops.push(await client.watchTask(id)))
  if (uris.length > 0) honoured.resourceSubscriptions = uris
  if (taskIds.length > 0) {
    honoured.taskIds = taskIds
    const wanted = new Set(taskIds)
    stops.push(link.onTaskNews((method, task) => wanted.has(task.taskId as string) && tell(method, task)))
  }
  return {
    honoured,
    ended: link.closed,
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
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
