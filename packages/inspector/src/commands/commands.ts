import type { CommandName } from '../protocol.ts'
import { appCommands } from './app-commands.ts'
import { authorizationCommands } from './authorization-commands.ts'
import { callCommands } from './call-commands.ts'
import type { Handler, Handlers } from './command.ts'
import { compareCommands } from './compare-commands.ts'
import { evalCommands } from './eval-commands.ts'
import { keptCommands } from './kept-commands.ts'
import { lintCommands } from './lint-commands.ts'
import { modelCommands } from './model-commands.ts'
import { configCommands, pageCommands, questionCommands, timelineCommands } from './other-commands.ts'
import { playgroundCommands } from './playground-commands.ts'
import { savedCommands } from './saved-commands.ts'
import { serverCommands } from './server-commands.ts'
import { sessionCommands } from './session-commands.ts'
import { taskCommands } from './task-commands.ts'

const all: Handlers<CommandName> = {
  ...serverCommands,
  ...callCommands,
  ...timelineCommands,
  ...questionCommands,
  ...pageCommands,
  ...configCommands,
  ...savedCommands,
  ...compareCommands,
  ...sessionCommands,
  ...appCommands,
  ...modelCommands,
  ...playgroundCommands,
  ...evalCommands,
  ...taskCommands,
  ...keptCommands,
  ...lintCommands,
  ...authorizationCommands,
}

/** Every command by its name. */
export const commands: ReadonlyMap<string, Handler<CommandName>> = new Map(
  Object.entries(all) as [string, Handler<CommandName>][],
)
