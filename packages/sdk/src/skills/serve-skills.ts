import { ErrorCode, McpError, RpcError } from '../errors.ts'
import type { RequestContext } from '../server/context.ts'
import { type ResourceReturn, resourceTemplate, type ServerResourceTemplate } from '../server/features/resource.ts'
import type { ServedExtension } from '../server/served-extension.ts'
import type { ResourceRegistry } from '../server/server.ts'
import type { Catalog } from './catalog.ts'
import type { FolderWatch } from './folders/watch-folders.ts'
import { pageOf } from './page.ts'
import { type Skill, skillsExtension } from './protocol.ts'
import { shown } from './skill-error.ts'

export interface SkillsFromOptions {
  /** Precedes the paths of the folder in URIs, such as `acme/billing`. */
  prefix?: string
  /** Reads the folder again when something in it changes. */
  watch?: boolean
  /** Gets errors of reading the folder again; the last catalog stays. */
  onError?: (error: unknown) => void
  /** How long clients may cache results, from 2026-07-28. Default 0. */
  ttlMs?: number
  /** The caches that may keep results: the client's own (the default), or any cache on the way. */
  cacheScope?: 'private' | 'public'
  /** Bytes of all skills together; they are held in memory. Default 64 MiB. */
  maxTotalBytes?: number
}

type Announced = { readonly resources: Pick<ResourceRegistry<never>, 'changed' | 'listChanged'> }

/** Skills for a server. */
export interface ServedSkills extends AsyncDisposable {
  /** For `createServer({ extensions })`. */
  readonly extension: ServedExtension
  /** For `createServer({ resources })`: the files. */
  readonly resources: readonly ServerResourceTemplate[]
  /** The skills that are served at the moment. */
  readonly skills: readonly Skill[]
  /** Reads the folder again, and returns whether anything changed. If it cannot be read, the last catalog stays. */
  refresh(): Promise<boolean>
  /** Tells the clients of a server about changes, until the returned function is called. */
  attach(server: Announced): () => void
  /** Ends the watch. The last catalog is still served. */
  close(): Promise<void>
}

/**
 * Serves the skills in a folder (a skill, a folder of skills, or skills in folders of any depth), or in several.
 *
 * @example
 * const skills = await skillsFrom('./skills')
 * createServer({ name, version, extensions: [skills.extension], resources: skills.resources })
 */
export async function skillsFrom(
  folder: string | URL | readonly (string | URL)[],
  options: SkillsFromOptions = {},
): Promise<ServedSkills> {
  const folders = (Array.isArray(folder) ? folder : [folder]) as readonly (string | URL)[]
  // Loaded when it is used: clients of skills also run where there are no files.
  const { readFolders, openWatch } = await import('./folders/from-disk.ts')
  const read = readFolders(folders, prefixNames(options.prefix), options.maxTotalBytes ?? 64 * 1024 * 1024)
  const served = new SkillShelf(await read(), read, options)
  if (options.watch) served.watch(openWatch)
  return served
}

function prefixNames(prefix = ''): string[] {
  const names = prefix === '' ? [] : prefix.split('/')
  const wrong = names.find((name) => !/^[\w~-][\w.~-]*$/.test(name))
  if (wrong === undefined) return names
  throw new McpError('invalid_argument', `skillsFrom prefix: expected names with / between them, got ${shown(prefix)}`)
}

/** The current catalog, and its listeners. */
class SkillShelf implements ServedSkills {
  readonly extension: ServedExtension
  readonly resources: readonly ServerResourceTemplate[]
  readonly #read: () => Promise<Catalog>
  readonly #onError: (error: unknown) => void
  readonly #servers = new Set<Announced>()
  #catalog: Catalog
  #refreshing: Promise<unknown> = Promise.resolve()
  #watch: FolderWatch | undefined

  constructor(catalog: Catalog, read: () => Promise<Catalog>, options: SkillsFromOptions) {
    const { ttlMs = 0, cacheScope = 'private', onError = () => {} } = options
    this.#catalog = catalog
    this.#read = read
    this.#onError = onError
    this.extension = serveExtension(() => this.#catalog, { ttlMs, cacheScope })
    this.resources = [fileTemplate(() => this.#catalog)]
  }

  get skills(): readonly Skill[] {
    return [...this.#catalog.skills.values()]
  }

  /** One after the other: the last one sees all changes before its call. */
  refresh(): Promise<boolean> {
    const next = this.#refreshing.then(() => this.#reload())
    this.#refreshing = next.catch(() => {})
    return next
  }

  attach(server: Announced): () => void {
    this.#servers.add(server)
    return () => this.#servers.delete(server)
  }

  watch(open: (events: { changed(): void; failed(error: unknown): void }) => FolderWatch): void {
    this.#watch = open({
      changed: () => void this.refresh().catch(this.#onError),
      failed: this.#onError,
    })
    this.#watch.set(this.#catalog.sources)
  }

  async close(): Promise<void> {
    this.#watch?.close()
    this.#watch = undefined
    await this.#refreshing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #reload(): Promise<boolean> {
    const before = this.#catalog.files
    const catalog = await this.#read()
    const { files } = catalog
    this.#catalog = catalog
    this.#watch?.set(catalog.sources)
    const rewritten = [...files].flatMap(([uri, { digest }]) => {
      const old = before.get(uri)
      return old !== undefined && old.digest !== digest ? [uri] : []
    })
    const isSame =
      rewritten.length === 0 && files.size === before.size && [...files.keys()].every((uri) => before.has(uri))
    if (!isSame) this.#announce(rewritten)
    return !isSame
  }

  #announce(rewritten: readonly string[]): void {
    for (const { resources } of this.#servers) {
      resources.listChanged()
      for (const uri of rewritten) resources.changed(uri)
    }
  }
}

interface Freshness {
  ttlMs: number
  cacheScope: 'private' | 'public'
}

function serveExtension(catalog: () => Catalog, freshness: Freshness): ServedExtension {
  return skillsExtension.serve(
    {
      'skills/list': ({ cursor }) => {
        const { items, nextCursor } = pageOf([...catalog().skills.values()], cursor)
        return { skills: items, ...(nextCursor !== undefined && { nextCursor }), ...freshness }
      },
      'skills/get': ({ uri }) => {
        const skill = catalog().skills.get(uri)
        if (skill === undefined) throw new RpcError(ErrorCode.InvalidParams, `No skill is served at ${shown(uri)}`)
        return { skill, ...freshness }
      },
      'resources/directory/read': ({ uri, cursor }) => {
        const children = catalog().directories.get(uri)
        if (children === undefined) throw notDirectory(uri, catalog().files.has(uri))
        const { items, nextCursor } = pageOf(children, cursor)
        return { resources: items, ...(nextCursor !== undefined && { nextCursor }) }
      },
    },
    { settings: { directoryRead: true } },
  )
}

const notDirectory = (uri: string, isFile: boolean): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `${shown(uri)} is ${isFile ? 'a file' : 'not served'}, expected a directory`)

/** The files are reached by a template; only the `SKILL.md` of each skill is listed, as they can be very many. */
const fileTemplate = (catalog: () => Catalog): ServerResourceTemplate =>
  resourceTemplate({
    uriTemplate: 'skill://{+path}',
    name: 'skill-file',
    title: 'Files of skills',
    description: 'A file of a skill, as skills/list and skills/get name them',
    list: () => [...catalog().skills.keys()].map((uri) => catalog().files.get(uri)!.listed),
    read: ({ uri }, _ctx: RequestContext): ResourceReturn => {
      const file = catalog().files.get(uri)
      if (file === undefined) return undefined
      const { body, listed } = file
      return { uri, mimeType: listed.mimeType, ...(typeof body === 'string' ? { text: body } : { blob: body }) }
    },
  })
