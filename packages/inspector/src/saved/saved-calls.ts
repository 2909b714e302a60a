import { isDeepStrictEqual } from 'node:util'
import { type CallsFile, CallsFileError, loadCalls } from '@tenon/replay'
import type { JsonObject } from '@tenon/sdk/client'
import { freeName } from '../free-name.ts'
import { RequestProblem } from '../problem.ts'
import type { Collection, FileProblem, ServerSpec } from '../protocol.ts'
import { isObject } from '../read-params.ts'
import { CallsFolder } from './calls-folder.ts'
import { addServer, callsIn, emptyText, putCall, removeCall, serversIn } from './edit-text.ts'
import { serverEntry } from './server-entry.ts'

/** The collections of saved calls: files in a folder, which people edit too. */
export class SavedCalls {
  readonly folder: CallsFolder
  /** Changes are made one after the other: each begins with the file of the one before. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.folder = new CallsFolder(folder)
  }

  async list(): Promise<Collection[]> {
    const names = await this.folder.names()
    return Promise.all(names.map(async (name) => collectionOf(name, await this.folder.read(name).catch(() => ''))))
  }

  /** A file that is right in all its parts, or the reason why it cannot be run. */
  async load(name: string): Promise<CallsFile> {
    return check(name, await this.folder.read(name))
  }

  /** Adds a call to a file, or replaces one. `where` is the name of a file, or the title of a new one. */
  put(
    where: string,
    call: JsonObject,
    options: { index?: number; server?: ServerSpec },
  ): Promise<[Collection, number]> {
    return this.#inTurn(async () => {
      const isKnown = (await this.folder.names()).includes(where)
      const name = isKnown ? where : await this.folder.newName(where)
      let text = isKnown ? await this.folder.read(name) : emptyText(where)
      const { index, server } = options
      if (index !== undefined && callsIn(text)[index] === undefined) {
        throw new RequestProblem('This call is not in the file any more', 'Load the page again.')
      }
      let entry = call
      if (server !== undefined) [text, entry] = withServer(text, call, server)
      text = putCall(text, entry, index)
      check(name, text)
      await this.folder.write(name, text)
      return [collectionOf(name, text), index ?? callsIn(text).length - 1]
    })
  }

  remove(name: string, index: number): Promise<Collection> {
    return this.#inTurn(async () => {
      const text = removeCall(await this.folder.read(name), index)
      await this.folder.write(name, text)
      return collectionOf(name, text)
    })
  }

  /** Writes a text as it is; a new file gets a name that is free. */
  write(name: string, text: string, isNew: boolean): Promise<Collection> {
    return this.#inTurn(async () => {
      const own = isNew ? await this.folder.newName(name) : name
      await this.folder.write(own, text)
      return collectionOf(own, text)
    })
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}

function check(name: string, text: string): CallsFile {
  try {
    return loadCalls(text, name)
  } catch (error) {
    if (!(error instanceof CallsFileError)) throw error
    const lines = error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    throw new RequestProblem(lines.join('\n'), 'Saved calls are described in docs/saved-calls.md.')
  }
}

/** The file knows the server, or gets to know it; the call says which one it is if it is not the first. */
function withServer(text: string, call: JsonObject, spec: ServerSpec): [string, JsonObject] {
  const servers = serversIn(text)
  const entry = serverEntry(spec)
  const known = [...servers].find(([, other]) => isDeepStrictEqual(other, entry))?.[0]
  const name = known ?? freeName(spec.name, servers)
  const [first = name] = servers.keys()
  const { server: _, ...rest } = call
  return [known === undefined ? addServer(text, name, entry) : text, name === first ? rest : { ...rest, server: name }]
}

/** A file as the page shows it, with its mistakes. */
function collectionOf(id: string, text: string): Collection {
  try {
    const { title = id, servers, revisions = [], calls } = loadCalls(text, id)
    const sources = callsIn(text)
    return {
      id,
      title,
      servers: [...servers.keys()],
      revisions: [...revisions],
      calls: calls.map(({ index, name, server }) => ({ index, name, server, source: sources[index] ?? {} })),
      problems: [],
    }
  } catch (error) {
    return { id, title: id, servers: [], revisions: [], calls: [], problems: problemsIn(error) }
  }
}

const problemsIn = (error: unknown): FileProblem[] =>
  error instanceof CallsFileError
    ? error.problems.map(({ line, column, message }) => ({ line, column, message }))
    : [{ line: 1, column: 1, message: isObject(error) ? String(error.message) : String(error) }]
