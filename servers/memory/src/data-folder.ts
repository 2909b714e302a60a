import { homedir } from 'node:os'
import { join } from 'node:path'

/** The memory file if none is named: in the folder of the system for data of the user's programs. */
export function defaultMemoryFile(
  environment: { readonly [name: string]: string | undefined } = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(dataFolder(environment, platform), 'tenon-memory', 'memory.jsonl')
}

function dataFolder(environment: { readonly [name: string]: string | undefined }, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  if (platform === 'win32') return environment.APPDATA || join(homedir(), 'AppData', 'Roaming')
  const { XDG_DATA_HOME } = environment
  // The specification of these folders has relative ones ignored.
  return XDG_DATA_HOME?.startsWith('/') ? XDG_DATA_HOME : join(homedir(), '.local', 'share')
}
