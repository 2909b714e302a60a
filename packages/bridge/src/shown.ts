import type { Revision, ServerCapabilities, ServerDescription } from '@tenon/sdk/client'
import { type BackendIntroduction, tasksExtension } from '@tenon/sdk/relay'

/** What a client is told of the server: all that the server says, except for what cannot be carried over. */
export function shown(server: ServerDescription, revision: Revision): BackendIntroduction {
  const { info, instructions } = server
  return { info, instructions, capabilities: carried(server, revision) }
}

/** True if capabilities name the extension. */
export const knowsTasks = ({ extensions }: { readonly extensions?: unknown }): boolean =>
  typeof extensions === 'object' && extensions !== null && Object.hasOwn(extensions, tasksExtension)

/** True if the two speak of tasks in the same words: then what is said about them passes as it is. */
export const sharesTasks = (server: ServerDescription, revision: Revision): boolean => server.revision === revision

/**
 * In 2025-11-25 callers ask for tasks, by what the list of tools says; later the server decides, and lists say nothing. So a
 * client of then cannot be offered those of a newer server, and gets its results without; the other way round works.
 */
const carriesTasks = (server: ServerDescription, revision: Revision): boolean => server.revision <= revision

function carried(server: ServerDescription, revision: Revision): ServerCapabilities {
  const { capabilities } = server
  return carriesTasks(server, revision) ? capabilities : withoutTasks(capabilities)
}

/** Capabilities, of whichever side, without tasks. */
export function withoutTasks<Capabilities extends { extensions?: { [id: string]: { [setting: string]: unknown } } }>(
  capabilities: Capabilities,
): Capabilities {
  if (!knowsTasks(capabilities)) return capabilities
  const { [tasksExtension]: _, ...others } = capabilities.extensions!
  const { extensions: __, ...rest } = capabilities
  return (Object.keys(others).length === 0 ? rest : { ...rest, extensions: others }) as Capabilities
}
