import type { JsonObject, Root } from '@tenon/sdk/client'
import { nearest } from '@tenon/sdk/display'
import { describeValue } from '../../json/describe-value.ts'
import { isObject } from '../../json/is-object.ts'
import type { PathStep } from '../../json/path.ts'
import type { CallsFile, SavedCall } from '../types.ts'
import { mentioned } from '../variables.ts'
import { loadCall, loadRevisions } from './call.ts'
import { parseLocated } from './located-document.ts'
import { CallsFileError, ProblemList } from './problems.ts'
import { loadServers } from './servers.ts'
import { ValueChecks } from './value-checks.ts'

const members = ['$schema', 'tenonCalls', 'title', 'servers', 'revisions', 'variables', 'roots', 'calls'] as const

/** The server of calls in a file without servers; the runner provides it. */
export const defaultServer = 'default'

/**
 * Reads saved calls from YAML or JSON. Throws a `CallsFileError` with every problem and its place. `path` is for the
 * messages.
 */
export function loadCalls(text: string, path = 'calls.yaml'): CallsFile {
  const { value, locate } = parseLocated(text, path)
  const problems = new ProblemList(locate)
  const checks = new ValueChecks(problems)
  const file = checks.object(value, [], members) ?? {}
  if (isObject(value) && file.tenonCalls !== 1) {
    problems.add(
      file.tenonCalls === undefined ? [] : ['tenonCalls'],
      `expected tenonCalls: 1, got ${describeValue(file.tenonCalls)}`,
    )
  }
  const servers = loadServers(file.servers, checks)
  const names = servers.size === 0 ? [defaultServer] : [...servers.keys()]
  const given = isObject(value) ? checks.list(file.calls, ['calls']) : undefined
  const calls = (given ?? []).flatMap((call, index) => loadCall(call, index, names, checks) ?? [])
  const variables = file.variables === undefined ? {} : (checks.object(file.variables, ['variables']) ?? {})
  const allowed = file.revisions === undefined ? undefined : loadRevisions(file.revisions, ['revisions'], checks)
  const title = file.title === undefined ? undefined : checks.text(file.title, ['title'])
  const roots = file.roots === undefined ? undefined : loadRoots(file.roots, checks)
  checkVariables(file, calls, variables, problems)
  if (problems.found.length > 0) throw new CallsFileError(path, problems.found)
  return {
    path,
    servers,
    variables,
    calls,
    locate,
    ...(title !== undefined && { title }),
    ...(allowed && { revisions: allowed }),
    ...(roots && { roots }),
  }
}

/** Reads a file of saved calls. */
export async function loadCallsFile(path: string): Promise<CallsFile> {
  const { readFile } = await import('node:fs/promises')
  return loadCalls(await readFile(path, 'utf8'), path)
}

function loadRoots(value: unknown, checks: ValueChecks): Root[] {
  const given = checks.list(value, ['roots']) ?? []
  return given.flatMap((one, index) => {
    const path = ['roots', index]
    if (typeof one === 'string') return [{ uri: one }]
    const root = checks.object(one, path, ['uri', 'name'])
    const uri = root && checks.text(root.uri, [...path, 'uri'])
    return uri === undefined ? [] : [{ uri, ...(typeof root!.name === 'string' && { name: root!.name }) }]
  })
}

/** A variable has to be given by the file, or captured by an earlier call. */
function checkVariables(
  file: JsonObject,
  calls: readonly SavedCall[],
  variables: JsonObject,
  problems: ProblemList,
): void {
  const known = new Set(Object.keys(variables))
  const check = (value: unknown, path: readonly PathStep[]): void => {
    for (const name of new Set(mentioned(value))) {
      if (known.has(name)) continue
      const [meant] = nearest(name, known)
      const hint = meant === undefined ? '' : `; did you mean \${${meant}}?`
      problems.add(path, `\${${name}} is no variable of this file, and no earlier call captures it${hint}`)
    }
  }
  check(file.servers, ['servers'])
  const given = Array.isArray(file.calls) ? file.calls : []
  for (const { index, capture } of calls) {
    const { capture: _, ...call } = given[index] as JsonObject
    for (const [name, value] of Object.entries(call)) check(value, ['calls', index, name])
    for (const name of capture.keys()) known.add(name)
  }
}
