import { fileURLToPath } from 'node:url'
import {
  type RequestContext,
  type Resource,
  type ResourceReturn,
  resourceTemplate,
  type ServerResourceTemplate,
  ToolError,
} from '@tenon/sdk/server'
import { Guard } from './access/guard.ts'
import type { Held } from './access/held.ts'
import type { Session } from './access/session-folders.ts'
import type { FileWatches } from './file-watches.ts'
import { readFolder } from './find/read-folder.ts'
import { mimeTypeOf, textTypeOf } from './mime-types.ts'
import { readBytes } from './text/read-range.ts'
import { decodeText, isBinary } from './text/text-document.ts'
import { uriOf, type Workspace } from './workspace.ts'

const maxListed = 1_000
const maxSuggestions = 100

/** Files as resources: listed, completed and read. A folder is read as the list of its entries. */
export function fileResources(workspace: Workspace, watches: FileWatches): ServerResourceTemplate<Session>[] {
  return [
    resourceTemplate<'file:///{+path}', Session>({
      uriTemplate: 'file:///{+path}',
      name: 'file',
      title: 'File',
      description: 'A file or folder in the allowed folders; subscribe to hear of changes',
      complete: { path: async (typed, _others, ctx) => suggest(await workspace.guardFor(ctx), typed) },
      list: async (ctx) => list(await workspace.guardFor(ctx)),
      read: ({ uri }, ctx) => read(workspace, uri, ctx),
      watch: async ({ uri }, caller, session) => {
        const guard = new Guard(await workspace.folders.known(session, caller), workspace.settings)
        const path = pathOf(uri)
        return path === undefined ? undefined : watches.begin(guard, path, uri)
      },
    }),
  ]
}

/** The folders, and the files directly in them. */
async function list(guard: Guard): Promise<Resource[]> {
  const found: Resource[] = []
  for (const { real } of guard.folders.list) {
    found.push({ uri: uriOf(real), name: real, mimeType: 'text/plain', description: 'An allowed folder' })
    await using folder = await guard.locate(real)
    for (const { name, type } of await readFolder(folder)) {
      if (type === 'file' && found.length < maxListed) found.push({ uri: uriOf(`${real}/${name}`), name })
    }
  }
  return found
}

async function read(workspace: Workspace, uri: string, ctx: RequestContext<Session>): Promise<ResourceReturn> {
  const guard = await workspace.guardFor(ctx)
  const path = pathOf(uri)
  if (path === undefined) return undefined
  try {
    await using held = await guard.locate(path)
    if (held.stats.isDirectory()) return await folderText(held)
    const handle = await guard.open(held, path)
    const { maxMedia } = workspace.settings
    const bytes = await readBytes(handle, 0, maxMedia + 1).finally(() => handle.close())
    if (bytes.length > maxMedia) return undefined
    return isBinary(bytes)
      ? { uri, mimeType: mimeTypeOf(path), blob: bytes }
      : { uri, mimeType: textTypeOf(path), text: decodeText(bytes) }
  } catch (error) {
    // A file that may not be read does not exist, for whoever asks.
    if (error instanceof ToolError) return undefined
    throw error
  }
}

/** Nothing for a URI that is no path here: another host, a slash in a name. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

async function folderText(folder: Held): Promise<ResourceReturn> {
  const entries = await readFolder(folder)
  const text = entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name)).join('\n')
  return { mimeType: 'text/plain', text }
}

/** Completes the last name of a path; folders end with a slash, so that the next name can follow. */
async function suggest(guard: Guard, typed: string): Promise<string[]> {
  const at = typed.lastIndexOf('/')
  const folder = typed.slice(0, at + 1)
  const inFolder = await entriesOf(guard, `/${folder}`)
  const found = inFolder.map((name) => folder + name).filter((path) => path.startsWith(typed))
  const starts = guard.folders.list.map(({ real }) => `${real.slice(1)}/`).filter((path) => path.startsWith(typed))
  return [...starts, ...found].slice(0, maxSuggestions)
}

async function entriesOf(guard: Guard, path: string): Promise<string[]> {
  try {
    await using folder = await guard.locateFolder(path)
    return (await readFolder(folder)).map(({ name, type }) => (type === 'directory' ? `${name}/` : name))
  } catch {
    return []
  }
}
