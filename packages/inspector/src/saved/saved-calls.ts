import { type CallsFile, callsText, loadCalls } from '@tenon/replay'
import type { JsonObject } from '@tenon/sdk/client'
import { itemsIn, putItem, putServer, removeItem, serversIn } from '../files/edit-text.ts'
import { checked, FileShelf, problemsIn } from '../files/file-shelf.ts'
import { YamlFolder } from '../files/yaml-folder.ts'
import { RequestProblem } from '../problem.ts'
import type { Collection, ServerSpec } from '../protocol.ts'

/** The collections of saved calls: files in a folder, which people edit too. */
export class SavedCalls {
  readonly shelf: FileShelf<Collection>

  constructor(folder: string) {
    this.shelf = new FileShelf(new YamlFolder(folder, 'saved calls'), collectionOf)
  }

  /** A file that is right in all its parts, or the reason why it cannot be run. */
  async load(name: string): Promise<CallsFile> {
    return check(name, await this.shelf.folder.read(name))
  }

  /** Adds a call to a file, or replaces one. `where` is the name of a file, or the title of a new one. */
  async put(
    where: string,
    call: JsonObject,
    { index, server }: { index?: number; server?: ServerSpec },
  ): Promise<[Collection, number]> {
    const empty = callsText({ title: where, servers: {}, calls: [] })
    const collection = await this.shelf.change(where, empty, (before, name) => {
      if (index !== undefined && itemsIn(before, 'calls')[index] === undefined) {
        throw new RequestProblem('This call is not in the file any more', 'Load the page again.')
      }
      const [text, entry] = server === undefined ? [before, call] : withServer(before, call, server)
      const after = putItem(text, 'calls', entry, index)
      check(name, after)
      return after
    })
    return [collection, index ?? collection.calls.length - 1]
  }

  remove(name: string, index: number): Promise<Collection> {
    return this.shelf.change(name, undefined, (text) => removeItem(text, 'calls', index))
  }
}

const check = (name: string, text: string): CallsFile => checked(() => loadCalls(text, name), 'docs/saved-calls.md')

/** The file knows the server, or gets to know it; the call says which one it is if it is not the first. */
function withServer(before: string, call: JsonObject, spec: ServerSpec): [string, JsonObject] {
  const [text, name] = putServer(before, spec)
  const [first = name] = serversIn(before).keys()
  const { server: _, ...rest } = call
  return [text, name === first ? rest : { ...rest, server: name }]
}

/** A file as the page shows it, with its mistakes. */
function collectionOf(id: string, text: string): Collection {
  try {
    const { title = id, servers, revisions = [], calls } = loadCalls(text, id)
    const sources = itemsIn(text, 'calls')
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
