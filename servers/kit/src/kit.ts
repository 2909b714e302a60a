/** Everything that the reference servers share. */

export { type CommonSettings, commonSettings } from './common-settings.ts'
export { confirmDestructive, newQuestionKey } from './confirm.ts'
export { fixedSettings, type LiveSettings } from './live-settings.ts'
export { Misuse } from './misuse.ts'
export type { OpenedServer, Program } from './program.ts'
export { createReferenceServer, obeyReadOnly, type ReferenceServerOptions } from './reference-server.ts'
export { runProgram } from './run-program.ts'
export {
  bytes,
  choice,
  integer,
  milliseconds,
  path,
  paths,
  type Setting,
  type SettingDefinitions,
  type SettingsOf,
  text,
  texts,
  toggle,
} from './settings.ts'
export { svgIcon } from './svg-icon.ts'
export { versionOf } from './version-of.ts'
export { type ViewPage, viewPage } from './view-page.ts'
