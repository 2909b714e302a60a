import type { Revision, ServerCapabilities, ServerDescription } from '@tenon/sdk/client'
import { type BackendIntroduction, tasksExtension } from '@tenon/sdk/relay'

/** What a client is told of the server: all that the server says, except for what cannot be carried over. */
export function shown(server: ServerDescription, revision: Revision): BackendIntroduction {
  const { info, instructions } = server
  return { info, instructions, capabilities: carried(server, revision) }
}

/**
 * Tasks are asked for by the caller in one revision and decided on by the server in the next. A client that speaks of
 * them differently than the server gets its results without them.
 */
export const carriesTasks = (server: ServerDescription, revision: Revision): boolean => server.revision === revision

function carried(server: ServerDescription, revision: Revision): ServerCapabilities {
  const { capabilities } = server
  const { extensions } = capabilities
  if (extensions === undefined || carriesTasks(server, revision) || !Object.hasOwn(extensions, tasksExtension))
    return capabilities
  const { [tasksExtension]: _, ...others } = extensions
  const { extensions: __, ...rest } = capabilities
  return Object.keys(others).length === 0 ? rest : { ...rest, extensions: others }
}
