import { type EvalsFile, loadEvals } from '@tenon/host/evals'
import type { JsonObject } from '@tenon/sdk/client'
import { stringify } from 'yaml'
import { itemsIn, memberIn, putItem, putMembers, putServer, removeItem } from '../files/edit-text.ts'
import { checked, FileShelf, problemsIn } from '../files/file-shelf.ts'
import { YamlFolder } from '../files/yaml-folder.ts'
import { freeName } from '../free-name.ts'
import { RequestProblem } from '../problem.ts'
import type { EvalSettings, EvalSuite, ServerSpec } from '../protocol.ts'
import { isObject } from '../read-params.ts'

/** A case to be put into a file, and all that the file has to know for it. */
interface NewCase {
  one: JsonObject
  index?: number
  servers: readonly ServerSpec[]
  /** Calls that are allowed, as `server.tool` with the names of the servers in the workbench. */
  allow: readonly string[]
}

/** The files of prompts with checks, in a folder, which people edit too. */
export class EvalFiles {
  readonly shelf: FileShelf<EvalSuite>

  constructor(folder: string) {
    this.shelf = new FileShelf(new YamlFolder(folder, 'eval cases'), suiteOf)
  }

  /** A file that is right in all its parts, or the reason why it cannot be run. */
  async load(name: string): Promise<EvalsFile> {
    return check(name, await this.shelf.folder.read(name))
  }

  /** Adds a case to a file, or replaces one. `where` is the name of a file, or the title of a new one. */
  async put(where: string, wanted: NewCase): Promise<[EvalSuite, number]> {
    const { index } = wanted
    const suite = await this.shelf.change(where, emptyText(where), (before, name) => {
      if (index !== undefined && itemsIn(before, 'cases')[index] === undefined) {
        throw new RequestProblem('This case is not in the file any more', 'Load the page again.')
      }
      const after = withCase(before, wanted)
      check(name, after)
      return after
    })
    return [suite, index ?? suite.cases.length - 1]
  }

  /** Changes what is for all cases of a file. */
  set(where: string, { title, models, runs, system, allow }: EvalSettings): Promise<EvalSuite> {
    return this.shelf.change(where, undefined, (before, name) => {
      const rules = allowedIn(before).filter((rule) => typeof rule !== 'string')
      const after = putMembers(withAllowed(before, [...rules, ...allow]), {
        title: title === '' ? undefined : title,
        models: models.length === 0 ? undefined : models,
        runs: runs === 1 ? undefined : runs,
        system: system === '' ? undefined : system,
      })
      check(name, after)
      return after
    })
  }

  remove(name: string, index: number): Promise<EvalSuite> {
    return this.shelf.change(name, undefined, (text) => removeItem(text, 'cases', index))
  }
}

const emptyText = (title: string): string => stringify({ tenonEvals: 1, title, servers: {}, cases: [] })

const check = (name: string, text: string): EvalsFile => checked(() => loadEvals(text, name), 'docs/cli/eval.md')

function withCase(before: string, { one, index, servers, allow }: NewCase): string {
  let text = before
  const renamed = new Map<string, string>()
  for (const spec of servers) {
    const [next, name] = putServer(text, spec)
    text = next
    renamed.set(spec.name, name)
  }
  const known = allowedIn(text)
  const missing = allow.map((tool) => withNewServer(tool, renamed)).filter((tool) => !known.includes(tool))
  if (missing.length > 0) text = withAllowed(text, [...known, ...missing])
  const written = withNewServers(one, renamed)
  return putItem(text, 'cases', index === undefined ? withFreeName(written, text) : written, index)
}

/** `server.tool` with the name that the server has in the file. */
function withNewServer(tool: string, renamed: ReadonlyMap<string, string>): string {
  const [from, to] = [...renamed].find(([name]) => tool.startsWith(`${name}.`)) ?? ['', '']
  return to + tool.slice(from.length)
}

function withNewServers(one: JsonObject, renamed: ReadonlyMap<string, string>): JsonObject {
  const { expect } = one
  if (!isObject(expect) || !Array.isArray(expect.calls)) return one
  const calls = expect.calls.map((call) =>
    isObject(call) && typeof call.tool === 'string' ? { ...call, tool: withNewServer(call.tool, renamed) } : call,
  )
  return { ...one, expect: { ...expect, calls } as JsonObject }
}

/** Two cases of a file have different names; without a name the prompt is one. */
function withFreeName(one: JsonObject, text: string): JsonObject {
  const nameOf = ({ name, prompt }: JsonObject): string => String(name ?? prompt)
  const wanted = nameOf(one)
  const name = freeName(wanted, new Set(itemsIn(text, 'cases').map(nameOf)))
  return name === wanted ? one : { name, ...one }
}

function consentIn(text: string): { [name: string]: unknown } {
  const consent = memberIn(text, 'consent')
  return isObject(consent) ? consent : {}
}

function allowedIn(text: string): unknown[] {
  const { allow } = consentIn(text)
  return Array.isArray(allow) ? allow : []
}

function withAllowed(text: string, allow: readonly unknown[]): string {
  const { allow: _, ...others } = consentIn(text)
  const consent = { ...others, ...(allow.length > 0 && { allow }) }
  return putMembers(text, { consent: Object.keys(consent).length === 0 ? undefined : consent })
}

/** A file as the page shows it, with its mistakes. */
function suiteOf(id: string, text: string): EvalSuite {
  try {
    const { title = id, servers, models, runs, system, consent, cases } = loadEvals(text, id)
    const sources = itemsIn(text, 'cases')
    return {
      id,
      title,
      servers: [...servers.keys()],
      models,
      runs,
      allow: (consent?.allow ?? []).filter((rule) => typeof rule === 'string'),
      ...(system !== undefined && { system }),
      cases: cases.map(({ index, name, skip }) => ({
        index,
        name,
        source: sources[index] ?? {},
        ...(skip !== undefined && { skip }),
      })),
      problems: [],
    }
  } catch (error) {
    const none = { servers: [], models: [], runs: 1, allow: [], cases: [] }
    return { id, title: id, ...none, problems: problemsIn(error) }
  }
}
