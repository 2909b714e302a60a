import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** A module of the repository, read as far as the rules about its structure need. */
export interface Module {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
  /** The declared names that it exports. */
  readonly exports: readonly string[]
  /** The modules that it imports, types included, and the names that it takes from each; `*` stands for all. */
  readonly imports: ReadonlyMap<string, readonly string[]>
}

const declared =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|type|interface|enum) ([\w$]+)/gm
const imported = /\b(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*from\s*'(\.{1,2}\/[^']+)'/g
const loaded = /(?:import\(|import |new URL\(|mock\()\s*'(\.{1,2}\/[^']+)'/g

/** The names in `{ a, type b as c }`; a default import or a namespace takes all. */
function namesIn(clause: string): string[] {
  const braces = /\{([^}]*)\}/.exec(clause)?.[1]
  if (braces === undefined || /\*/.test(clause.replace(/\{[^}]*\}/, ''))) return ['*']
  return braces
    .split(',')
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0]!,
    )
    .filter((name) => name !== '')
}

function readModule(path: string): Module {
  const text = readFileSync(root + path, 'utf8')
  const imports = new Map<string, string[]>()
  const add = (specifier: string, names: string[]): void => {
    const target = posix.join(posix.dirname(path), specifier)
    imports.set(target, [...(imports.get(target) ?? []), ...names])
  }
  for (const [, clause, specifier] of text.matchAll(imported)) add(specifier!, namesIn(clause!))
  for (const [, specifier] of text.matchAll(loaded)) add(specifier!, ['*'])
  return { path, text, exports: [...text.matchAll(declared)].map(([, name]) => name!), imports }
}

/** All modules that a clone has, those that are about to be committed included. */
export function readModules(): Module[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return [...new Set(listed.split('\0'))]
    .filter((path) => /\.(?:ts|tsx|mts|mjs)$/.test(path) && existsSync(root + path))
    .map(readModule)
}

/** True for modules that only tests import. */
export const isForTests = (path: string): boolean => /\.(?:test|suite|test-d)\.tsx?$|\/(?:test|fixtures)\//.test(path)

/** The groups of modules that import one another, directly or not. */
export function cyclesAmong(modules: readonly Module[]): string[][] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const cycles: string[][] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    lowest.set(path, order.get(path)!)
    open.push(path)
    for (const next of byPath.get(path)!.imports.keys()) {
      if (!byPath.has(next)) continue
      if (!order.has(next)) visit(next)
      if (open.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!))
    }
    if (lowest.get(path) !== order.get(path)) return
    const cycle = open.splice(open.indexOf(path))
    if (cycle.length > 1) cycles.push(cycle.sort())
  }
  for (const { path } of modules) if (!order.has(path)) visit(path)
  return cycles.sort((a, b) => b.length - a.length)
}
