import type { Server, ServerOptions } from '@tenon/sdk/server'
import {
  type CommonSettings,
  createReferenceServer,
  fixedSettings,
  type LiveSettings,
  obeyReadOnly,
  type ReferenceServerOptions,
} from '@tenon/server-kit'
import { board } from './board.ts'
import { type ClientState, clientStateStore } from './client-state.ts'
import { createClockServer } from './clock.ts'
import { colorCard, showColor } from './color-card.ts'
import { instructions } from './guide.ts'
import { squareIcon } from './icons.ts'
import { countOperations, timeTools } from './middleware.ts'
import { noteShelf } from './notes.ts'
import { prompts } from './prompts.ts'
import { resources } from './resources.ts'
import { skills } from './skills.ts'
import { connectionTools } from './tools/connection.ts'
import { extrasTool } from './tools/extras.ts'
import { failureTools } from './tools/failures.ts'
import { jobTools } from './tools/jobs.ts'
import { mediaTools } from './tools/media.ts'
import { modelTools } from './tools/model.ts'
import { noteTools } from './tools/notes.ts'
import { numberTools } from './tools/numbers.ts'
import { textTools } from './tools/text.ts'
import { userTools } from './tools/user.ts'
import { version } from './version.ts'

export type { ClientState } from './client-state.ts'

/** The options of the operator. */
export interface EverythingOptions
  extends Pick<ServerOptions<ClientState>, 'revisions' | 'onError' | 'limits' | 'stateKeys'> {
  settings?: LiveSettings<Pick<CommonSettings, 'readOnly' | 'confirm'>>
}

/** A server with every feature; one definition for any number of clients. */
export function createEverythingServer(options: EverythingOptions = {}): Server<ClientState> {
  const { settings = fixedSettings({ readOnly: false, confirm: false }), ...rest } = options
  const sessionOf = clientStateStore()
  const given: ReferenceServerOptions<ClientState> = {
    name: 'everything',
    version,
    title: 'Everything',
    description: 'Every feature of the Model Context Protocol in a small, useful form',
    websiteUrl: 'https://modelcontextprotocol.io',
    icons: [squareIcon([64, 160, 224])],
    instructions,
    context: sessionOf,
    middleware: [countOperations, timeTools],
    tools: [
      ...textTools,
      ...numberTools,
      ...mediaTools,
      ...jobTools,
      ...userTools,
      ...modelTools,
      ...connectionTools,
      ...failureTools,
      showColor,
    ],
    resources: [...resources, colorCard, ...skills.resources],
    prompts,
    extensions: [skills.extension],
    // Small enough that there is more than one page. Tools have one: many clients never ask for a second.
    pageSize: { resources: 20 },
    onRootsChanged: (_roots, caller) => {
      sessionOf(caller).rootsChanges++
    },
    ...rest,
  }
  const server = createReferenceServer(given, settings)
  // These change the server they belong to, so they are added once it is there.
  const { page, write } = board(server.resources)
  server.resources.add(page)
  server.tools.add(...noteTools(noteShelf(server.resources)), write, extrasTool(server))
  server.mount(createClockServer(), { prefix: 'clock_' })
  obeyReadOnly(server, settings)
  return server
}
