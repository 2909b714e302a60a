import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type LiveSettings, Misuse } from '@tenon/server-kit'
import type { GitServerSettings } from '../git-server.ts'

/**
 * A subfolder of a repository stands for the repository. A folder of repositories does not, nor does one in a home
 * folder that is a repository itself: nobody means to allow that by naming a part of it.
 */
function topOf(folder: string): string {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Misuse(`--repository: there is no folder ${folder}`)
  }
  const start = realpathSync(folder)
  if (!isRepository(start) && readdirSync(start).some((name) => isRepository(join(start, name)))) return start
  for (let at = start; at !== dirname(at) && !`${homedir()}/`.startsWith(`${at}/`); at = dirname(at)) {
    if (isRepository(at)) return at
  }
  return start
}

const isRepository = (folder: string): boolean => existsSync(join(folder, '.git'))

/** The settings with each repository replaced by its top folder. */
export function withTops(settings: LiveSettings<GitServerSettings>): LiveSettings<GitServerSettings> {
  const tops = new WeakMap<GitServerSettings, GitServerSettings>()
  return {
    get current() {
      const { current } = settings
      if (!tops.has(current)) tops.set(current, { ...current, repository: current.repository.map(topOf) })
      return tops.get(current)!
    },
    onChange: (listener) => settings.onChange(listener),
  }
}
