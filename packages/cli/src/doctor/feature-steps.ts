import { type Finding, failed, ok, type Step, warned } from '@tenon/host/diagnosis'
import type { Client, Tool } from '@tenon/sdk/client'
import { explain } from '../explain.ts'
import { lists } from '../list/lists.ts'
import { collect } from '../values/find-by-name.ts'
import type { Checkup } from './checkup.ts'
import { judgeOutput } from './connection-steps.ts'
import { judgeSchemas } from './schemas.ts'

/** The checks of a server that a connection was made to. */
export const featureSteps = (checkup: Checkup): Step[] => [
  { name: 'lists', title: 'Lists', needs: ['era'], run: () => lookAtLists(checkup) },
  {
    name: 'schemas',
    title: 'Schemas',
    needs: ['era', 'lists'],
    run: () => judgeSchemas((checkup.found.get('tools') ?? []) as Tool[]),
  },
  { name: 'cancel', title: 'Cancellation', needs: ['era'], run: () => lookAtCancellation(checkup) },
  { name: 'payload', title: 'Large payload', needs: ['era'], run: () => lookAtPayload(checkup) },
  ...laterOutput(checkup),
]

async function lookAtLists(checkup: Checkup): Promise<Finding> {
  const client = await checkup.client()
  const counts: string[] = []
  const twice: string[] = []
  for (const [kind, { capability, items }] of lists) {
    if (!Object.hasOwn(client.server.capabilities, capability)) continue
    try {
      const found = await collect(items(client))
      checkup.found.set(kind, found)
      counts.push(`${found.length} ${found.length === 1 ? kind.slice(0, -1) : kind}`)
      twice.push(...repeated(found))
    } catch (thrown) {
      checkup.signal.throwIfAborted()
      const { message, hint, rpc } = explain(thrown)
      // Servers declare resources without having heard of templates.
      if (kind === 'templates' && rpc?.code === -32_601) continue
      return failed(`${kind}: ${message}`, hint ?? 'The server declares them, so it has to list them.')
    }
  }
  if (twice.length > 0) {
    return failed(`Listed twice: ${twice.slice(0, 5).join(', ')}`, 'Clients find only one of them: give each a name.')
  }
  return ok(counts.length === 0 ? 'The server declares nothing to list' : counts.join(', '))
}

/** The names, or URIs, that a list has more than once. */
function repeated(items: readonly object[]): string[] {
  const seen = new Set<string>()
  const names = items.map((item) => {
    const { uri, uriTemplate, name } = item as { uri?: string; uriTemplate?: string; name?: string }
    return String(uri ?? uriTemplate ?? name)
  })
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))]
}

/** A request without effects, for checks that need one. */
const harmless = (client: Client, options: Parameters<Client['ping']>[0]): Promise<unknown> =>
  Object.hasOwn(client.server.capabilities, 'tools')
    ? client.listTools({ ...options, fresh: true })
    : client.ping(options)

async function lookAtCancellation(checkup: Checkup): Promise<Finding> {
  const client = await checkup.client()
  const stop = new AbortController()
  const asked = harmless(client, { signal: stop.signal, timeoutMs: checkup.timeoutMs }).catch(() => {})
  stop.abort()
  await asked
  try {
    await harmless(client, { signal: checkup.signal, timeoutMs: checkup.timeoutMs })
    return ok('A cancelled request does no harm')
  } catch (thrown) {
    checkup.signal.throwIfAborted()
    const hint = 'Take a cancelled request as cancelled, and go on answering others.'
    return failed(`After a cancelled request: ${explain(thrown).message}`, hint)
  }
}

const payloadBytes = 1024 * 1024

async function lookAtPayload(checkup: Checkup): Promise<Finding> {
  const client = await checkup.client()
  const meta = { 'tenon/padding': 'x'.repeat(payloadBytes) }
  try {
    await harmless(client, { meta, signal: checkup.signal, timeoutMs: checkup.timeoutMs })
    return ok('A request of 1 MiB is answered')
  } catch (thrown) {
    checkup.signal.throwIfAborted()
    const { message, code, rpc } = explain(thrown)
    const hint = 'Raise the limit for requests of the server, or of a proxy in front of it: files come as base64.'
    // A refusal is a limit; anything else is a fault.
    const isLimit = rpc !== undefined || code === 'http'
    return isLimit ? warned(`A request of 1 MiB is refused: ${message}`, hint) : failed(`With 1 MiB: ${message}`, hint)
  }
}

/** Lines that a program printed between the messages, after its handshake. */
const laterOutput = (checkup: Checkup): Step[] =>
  typeof checkup.resolved.target === 'string'
    ? []
    : [{ name: 'stdout-later', title: 'Standard output, later', needs: [], run: () => noise(checkup) }]

const noise = ({ refused, judgedLines }: Checkup): Finding | undefined =>
  judgedLines === 0 && refused.length > 0 ? judgeOutput(refused) : undefined
