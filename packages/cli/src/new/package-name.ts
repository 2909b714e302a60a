import { builtinModules } from 'node:module'
import { usage } from '../exit.ts'

/** Refuses names that the registry would refuse, before anything is written. */
export function checkPackageName(name: string): string {
  const problem = problemOf(name)
  if (problem === undefined) return name
  const better = betterName(name)
  throw usage(
    `${JSON.stringify(name)} cannot be the name of a package: ${problem}`,
    better === undefined ? 'Give another one with --name.' : `Give another one with --name, such as ${better}.`,
  )
}

/** The name without its scope: for folders, programs and servers. */
export const bareName = (name: string): string => name.replace(/^@[^/]*\//, '')

export function problemOf(name: string): string | undefined {
  const bare = bareName(name)
  if (bare === '') return 'it is empty'
  if (name.length > 214) return 'it has more than 214 characters'
  if (!/^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/.test(name))
    return 'it may have lower-case letters, digits and - . _ ~, and begins with a letter, a digit, - or ~'
  if (bare === 'node_modules' || bare === 'favicon.ico') return 'that name is taken by the registry'
  return name === bare && builtinModules.includes(bare) ? 'Node has a module of that name' : undefined
}

/** A name like the given one that would do. */
export function betterName(name: string): string | undefined {
  const better = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9@/._~-]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, 100)
  const candidate = builtinModules.includes(better) ? `${better}-server` : better
  return problemOf(candidate) === undefined ? candidate : undefined
}
