import { McpError } from '../../errors.ts'
import type { MountedBackend, MountingServer, Offers } from './offers.ts'

/** How a server is mounted. */
export interface MountOptions {
  /** Before the names of its tools and prompts. */
  prefix?: string
  /** How long a handshake or a list waits for a server with a backend, such as that of a bridge. Default 10 s. */
  timeoutMs?: number
  /**
   * What happens to a URI that several servers with backends list, or have a template for: the server that was mounted
   * first gets the request, or the client gets an error that names all of them. Default `first`.
   */
  ambiguous?: 'first' | 'refuse'
  /** Adds the instructions of a server with a backend to those of this server, under its name. Default false. */
  instructions?: boolean
}

/** The options, with every default filled in. */
export const mountSettings = ({
  prefix = '',
  timeoutMs = defaultPatienceMs,
  ambiguous = 'first',
  instructions = false,
}: MountOptions): Required<MountOptions> => ({ prefix, timeoutMs, ambiguous, instructions })

const defaultPatienceMs = 10_000

interface Mount extends Required<MountOptions> {
  readonly definition: Pick<MountingServer, 'info' | 'mountedBackends'> & Offers & { options: { backend?: unknown } }
}

const none: readonly MountedBackend[] = []

/** The servers with backends behind some mounts. Of two with one prefix the first counts. */
export function backendsIn(mounts: readonly Mount[]): readonly MountedBackend[] {
  if (mounts.length === 0) return none
  const found = new Map<string, MountedBackend>()
  for (const part of mounts.flatMap(backendsBehind)) if (!found.has(part.prefix)) found.set(part.prefix, part)
  return [...found.values()]
}

/** The server of a mount if it has a backend, and otherwise those that are mounted into it. */
function backendsBehind({ definition, ...how }: Mount): MountedBackend[] {
  const { options, info, mountedBackends } = definition
  const backend = options.backend as MountedBackend['backend'] | undefined
  if (backend !== undefined) return [{ name: info.name, backend, path: [], ...how }]
  return mountedBackends.map((part) => ({
    ...part,
    prefix: how.prefix + part.prefix,
    path: [{ definition, prefix: how.prefix }, ...part.path],
  }))
}

/** A backend answers alone; and nothing but the prefix of a name says to which server with a backend it leads. */
export function checkBackends(
  server: Mount['definition'],
  { info: { name }, options }: Mount['definition'],
  prefix: string,
): void {
  if (server.options.backend !== undefined) {
    throw new McpError(
      'invalid_definition',
      `mount of ${name}: ${server.info.name} has a backend, which answers in place of everything else; mount both into a server without one`,
    )
  }
  if (options.backend === undefined) return
  const other = server.mountedBackends.find((part) => part.prefix === prefix)
  if (other === undefined) return
  throw new McpError(
    'invalid_definition',
    `mount of ${name}: the prefix ${JSON.stringify(prefix)} leads to ${other.name} already; expected another`,
  )
}
