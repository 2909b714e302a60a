import { CallsFileError } from '@tenon/replay'
import { RequestProblem } from '../problem.ts'
import type { FileProblem } from '../protocol.ts'
import { isObject } from '../read-params.ts'
import type { YamlFolder } from './yaml-folder.ts'

/** The files of a folder as the page shows them. Changes are made one after the other, each of the file of the one before. */
export class FileShelf<View> {
  readonly folder: YamlFolder
  readonly #viewOf: (id: string, text: string) => View
  #last: Promise<unknown> = Promise.resolve()

  constructor(folder: YamlFolder, viewOf: (id: string, text: string) => View) {
    this.folder = folder
    this.#viewOf = viewOf
  }

  async list(): Promise<View[]> {
    const names = await this.folder.names()
    return Promise.all(names.map(async (name) => this.#viewOf(name, await this.folder.read(name).catch(() => ''))))
  }

  /** Writes a text as it is; a new file gets a name that is free. */
  write(name: string, text: string, isNew: boolean): Promise<View> {
    return this.#inTurn(async () => this.#keep(isNew ? await this.folder.newName(name) : name, text))
  }

  /** Changes the text of a file. `where` is its name, or the title of a new one, which begins with `empty`. */
  change(where: string, empty: string | undefined, edit: (text: string, name: string) => string): Promise<View> {
    return this.#inTurn(async () => {
      const isKnown = empty === undefined || (await this.folder.names()).includes(where)
      const name = isKnown ? where : await this.folder.newName(where)
      return this.#keep(name, edit(isKnown ? await this.folder.read(name) : empty, name))
    })
  }

  async #keep(name: string, text: string): Promise<View> {
    await this.folder.write(name, text)
    return this.#viewOf(name, text)
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}

/** What `load` makes of a file, or its mistakes in words for the page. */
export function checked<File>(load: () => File, docs: string): File {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof CallsFileError)) throw error
    const lines = error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    throw new RequestProblem(lines.join('\n'), `Such files are described in ${docs}.`)
  }
}

/** The mistakes in a file, with their places. */
export const problemsIn = (error: unknown): FileProblem[] =>
  error instanceof CallsFileError
    ? error.problems.map(({ line, column, message }) => ({ line, column, message }))
    : [{ line: 1, column: 1, message: isObject(error) ? String(error.message) : String(error) }]
