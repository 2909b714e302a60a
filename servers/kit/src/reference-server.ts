import { createServer, type Server, type ServerOptions, type ServerTool } from '@tenon/sdk/server'
import type { CommonSettings } from './common-settings.ts'
import { confirmDestructive } from './confirm.ts'
import type { LiveSettings } from './live-settings.ts'

export type ReferenceServerOptions<App> = Omit<ServerOptions<App>, 'tools'> & { tools: readonly ServerTool<App>[] }

/**
 * Makes a server that obeys `readOnly` and `confirm`, also when the config file changes them: with `readOnly` only tools
 * that declare to change nothing exist, and with `confirm` the user is asked before a destructive one runs.
 */
export function createReferenceServer<App = unknown>(
  options: ReferenceServerOptions<App>,
  settings: LiveSettings<Pick<CommonSettings, 'readOnly' | 'confirm'>>,
): Server<App> {
  const { middleware = [], ...rest } = options
  const confirm = confirmDestructive(
    () => settings.current.confirm,
    (name) => server.tools.get(name) as ServerTool | undefined,
  )
  const given = { ...rest, middleware: [...middleware, confirm] }
  // A server that needs a context has its function in `rest`, as the type of the options says.
  const server: Server<App> = createServer<App>(given as Parameters<typeof createServer<App>>[0])
  obeyReadOnly(server, settings)
  return server
}

/**
 * Takes the tools that change something from a server while `readOnly` is set. Call it when all tools are there. Those of
 * mounted servers stay.
 */
export function obeyReadOnly<App>(
  { tools }: Server<App>,
  settings: LiveSettings<Pick<CommonSettings, 'readOnly'>>,
): void {
  const writing = [...tools].filter(({ listed }) => listed.annotations?.readOnlyHint !== true)
  const apply = (): void => {
    for (const tool of writing) {
      if (settings.current.readOnly) tools.remove(tool.name)
      else if (!tools.has(tool.name)) tools.add(tool)
    }
  }
  apply()
  settings.onChange(apply)
}
