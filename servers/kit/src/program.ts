import type { AnyServer } from '@tenon/sdk/server'
import type { CommonSettings } from './common-settings.ts'
import type { LiveSettings } from './live-settings.ts'
import type { SettingDefinitions, SettingsOf } from './settings.ts'

/** A reference server as a program: the command line, the config file and the server behind them. */
export interface Program<S extends SettingDefinitions> {
  /** The command, such as `tenon-filesystem`. */
  readonly name: string
  readonly version: string
  /** One or two sentences for `--help`. */
  readonly summary: string
  readonly settings: S
  /** The setting that arguments without a flag fill, and its placeholder in `--help`. */
  readonly positional?: { readonly setting: keyof S & string; readonly placeholder: string }
  /** Lines for `--help`: a command and its explanation. */
  readonly examples?: readonly (readonly [command: string, explanation: string])[]
  /** Makes the server. A `Misuse` is shown in one line; everything else is a fault of the program. */
  open(settings: LiveSettings<SettingsOf<S> & CommonSettings>): OpenedServer | Promise<OpenedServer>
}

export interface OpenedServer {
  readonly server: AnyServer
  /** Releases everything; called once, when the last client is gone. */
  close?(): void | Promise<void>
}
