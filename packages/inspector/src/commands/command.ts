import type { CommandName, Result } from '../protocol.ts'
import type { RawParams } from '../read-params.ts'
import type { Workbench } from '../workbench.ts'

/** Runs a command with its parameters. */
export type Handler<Name extends CommandName> = (
  params: RawParams,
  bench: Workbench,
) => Result<Name> | Promise<Result<Name>>

/** Some of the commands, each reading its own parameters. */
export type Handlers<Prefix extends CommandName> = { [Name in Prefix]: Handler<Name> }

/** The commands whose names begin alike. */
export type Named<Prefix extends string> = Extract<CommandName, `${Prefix}.${string}`>
