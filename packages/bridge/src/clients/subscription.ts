import type { ChangeKind } from '@tenon/sdk/client'
import type { BackendListening, ListenFilter } from '@tenon/sdk/relay'
import type { AdaptedTask } from '../tasks/adapted-tasks.ts'
import type { UpstreamConnection } from '../upstream/connection.ts'
import type { Notify } from '../upstream/server-kind.ts'

const listFields: readonly [keyof ListenFilter, ChangeKind][] = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
]

/** Opens the subscription of a stateless client, as far as the server supports it. */
export async function openSubscription(
  connection: UpstreamConnection,
  filter: ListenFilter,
  notify: Notify,
  adaptedTask: (taskId: string) => AdaptedTask | undefined,
): Promise<BackendListening> {
  const { client, kind: server } = connection
  const { capabilities } = client.server
  const stops: (() => unknown)[] = []
  const honoured: ListenFilter = {}
  for (const [field, kind] of listFields) {
    if (filter[field] !== true || capabilities[kind]?.listChanged !== true) continue
    Object.assign(honoured, { [field]: true })
    stops.push(client.onChange(kind, () => notify(`notifications/${kind}/list_changed`, {})))
  }
  const uris = await accepted(filter.resourceSubscriptions, async (uri) => {
    const watch = await client.watch(uri, (update) => notify('notifications/resources/updated', { ...update }))
    stops.push(() => watch.close())
  })
  const taskIds = await accepted(filter.taskIds, async (id) =>
    stops.push(await server.watchTask(connection, id, adaptedTask(id), notify)),
  )
  if (uris.length > 0) honoured.resourceSubscriptions = uris
  if (taskIds.length > 0) honoured.taskIds = taskIds
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((each) => each()))
  }
  return { honoured, ended: connection.closed, stop }
}

/** The items that can be subscribed to, one after the other: a list may be long. */
async function accepted(
  wanted: readonly string[] | undefined,
  subscribe: (item: string) => Promise<unknown>,
): Promise<string[]> {
  const granted: string[] = []
  for (const item of new Set(wanted)) {
    try {
      await subscribe(item)
      granted.push(item)
    } catch {
      // The acknowledgement leaves out refused items.
    }
  }
  return granted
}
