import { basename, resolve } from 'node:path'
import { bareName, checkPackageName } from './package-name.ts'

export const serverTemplates = ['stdio', 'http', 'minimal'] as const
export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const
export const licenses = ['MIT', 'ISC', 'none'] as const

export type Template = (typeof serverTemplates)[number] | 'client'
export type PackageManager = (typeof packageManagers)[number]
export type License = (typeof licenses)[number]

/** Everything that is known about a project before it is there. */
export interface Plan {
  template: Template
  /** The name of the package. */
  name: string
  /** The absolute path. */
  folder: string
  license: License
  author: string
  packageManager: PackageManager
  install: boolean
  /** The clone whose packages are the dependencies, if the command runs from one. */
  clone: string | undefined
}

/** A word names a folder, and the package after it; `@scope/name` is a package in the folder `name`. */
export function placeOf(word: string, cwd: string, name?: string): Pick<Plan, 'name' | 'folder'> {
  const isScoped = /^@[^/\\]+\/[^/\\]+$/.test(word)
  const folder = resolve(cwd, isScoped ? bareName(word) : word)
  return { folder, name: checkPackageName(name ?? (isScoped ? word : basename(folder))) }
}

/** The package manager that runs this command, if one does. */
export function managerIn(env: NodeJS.ProcessEnv): PackageManager {
  const agent = env.npm_config_user_agent ?? ''
  return packageManagers.find((manager) => agent.startsWith(`${manager}/`)) ?? 'npm'
}
