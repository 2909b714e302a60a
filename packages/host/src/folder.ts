import { homedir } from 'node:os'
import { foldersOf, type Whereabouts } from './config/hosts/folders.ts'

/** The folder of Tenon's persistent files, by the rules of the platform; `XDG_CONFIG_HOME` counts on all of them. */
export function tenonFolder(where: Pick<Whereabouts, 'env' | 'home' | 'platform'> = {}): string {
  const { env = process.env } = where
  const home = where.home ?? (env.HOME || env.USERPROFILE || homedir())
  const { appData, join, variable } = foldersOf({ ...where, home })
  return join(variable('XDG_CONFIG_HOME') ?? appData, 'tenon')
}
