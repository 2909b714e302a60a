import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

/** The surroundings in which files are looked for. Default: those of this process. */
export interface Whereabouts {
  cwd?: string
  home?: string
  env?: Env
  platform?: NodeJS.Platform
}

export type Env = Readonly<Record<string, string | undefined>>

/** The folders of a platform. */
export interface Folders {
  cwd: string
  home: string
  platform: NodeJS.Platform
  /** Application data: `Application Support`, `%APPDATA%`, `~/.config`. */
  appData: string
  localAppData: string
  programFiles: string
  /** Settings of command-line programs, on every platform. */
  config: string
  join(...parts: string[]): string
  /** A variable of the environment; an empty one says as much as none. */
  variable(name: string): string | undefined
}

/** The folders of a platform; a pure function of its argument. */
export function foldersOf(where: Whereabouts = {}): Folders {
  const { cwd = process.cwd(), home = homedir(), env = process.env, platform = process.platform } = where
  const { join } = pathsOf(platform)
  const look = variablesOf(env, platform)
  const variable = (name: string): string | undefined => look(name) || undefined
  const config = variable('XDG_CONFIG_HOME') ?? join(home, '.config')
  const roaming = variable('APPDATA') ?? join(home, 'AppData', 'Roaming')
  const support = join(home, 'Library', 'Application Support')
  return {
    cwd,
    home,
    platform,
    appData: platform === 'win32' ? roaming : platform === 'darwin' ? support : config,
    localAppData: variable('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'),
    programFiles: variable('ProgramFiles') ?? 'C:\\Program Files',
    config,
    join,
    variable,
  }
}

/** How a platform writes paths. */
export const pathsOf = (platform: NodeJS.Platform): typeof posix => (platform === 'win32' ? win32 : posix)

/** Looks up variables as a platform does: their names have no case on Windows. */
export function variablesOf(env: Env, platform: NodeJS.Platform): (name: string) => string | undefined {
  const sameCase = platform === 'win32' ? (name: string) => name.toUpperCase() : (name: string) => name
  const values = new Map(Object.entries(env).map(([name, value]) => [sameCase(name), value]))
  return (name) => values.get(sameCase(name))
}
