import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where this command keeps what outlives it: `$XDG_CONFIG_HOME/tenon`, or the platform's own place. */
export function configFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const home = env.HOME ?? env.USERPROFILE ?? homedir()
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'tenon')
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'tenon')
  return platform === 'darwin' ? join(home, 'Library', 'Application Support', 'tenon') : join(home, '.config', 'tenon')
}
