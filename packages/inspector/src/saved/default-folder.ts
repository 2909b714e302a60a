import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the workbench keeps what outlives it unless somebody says otherwise: with the configuration of this person. */
export const defaultFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(configFolder(env, process.platform), 'tenon')

/** The folder of saved calls. */
export const callsFolderIn = (folder: string): string => join(folder, 'calls')

function configFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (env.XDG_CONFIG_HOME) return env.XDG_CONFIG_HOME
  const home = env.HOME ?? env.USERPROFILE ?? homedir()
  if (platform === 'win32') return env.APPDATA ?? join(home, 'AppData', 'Roaming')
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.config')
}
