import type { Call, Operation } from '../../src/protocol.ts'
import type { Bench } from '../state/bench.ts'
import { type Route, useRoute } from '../state/route.ts'
import { useBench } from '../state/store.ts'

/** The server and the call that the page is about, if it is about one. */
export interface CurrentPlace {
  server: string | undefined
  call: Call | undefined
}

const ofServers: ReadonlySet<string> = new Set(['tools', 'resources', 'prompts', 'tasks', 'servers'])

const itemOf = (operation: Operation): string =>
  operation.method === 'resources/read' ? operation.uri : operation.name

/** The last call of the item that is shown. */
function callOf({ calls }: Pick<Bench, 'calls'>, { screen, parts: [server, item] }: Route): Call | undefined {
  if (screen === 'tasks') return [...calls.values()].findLast(({ task }) => task?.taskId === item)
  return [...calls.values()].findLast((call) => call.server === server && itemOf(call.operation) === item)
}

/** Follows the page: messages, log and output of the panel are those of its server. */
export function usePlace(): CurrentPlace {
  const route = useRoute()
  const isOfServer = ofServers.has(route.screen) && route.parts[0] !== undefined
  const server = useBench(({ servers }) => servers.find(({ id }) => isOfServer && id === route.parts[0])?.id)
  const call = useBench((bench) => (isOfServer && route.parts[1] !== undefined ? callOf(bench, route) : undefined))
  return { server, call }
}
