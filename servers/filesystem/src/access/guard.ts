import type { FileHandle } from 'node:fs/promises'
import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { ToolError } from '@tenon/sdk/server'
import type { AllowedFolders } from './allowed-folders.ts'
import { explain } from './explain.ts'
import { type Held, hold, isSame, openHeld } from './held.ts'
import { absolutePath, isSelfContained } from './requested-path.ts'

/** A name in a folder that is held, with the file, folder or link that has the name, if there is one. */
export interface Target extends AsyncDisposable {
  readonly parent: Held
  readonly name: string
  readonly existing: Held | undefined
  /** The real path of the name, for people. */
  readonly real: string
  /** The path to use. */
  readonly access: string
}

/**
 * Finds files for a caller, and nothing outside of its folders. A decision is made about the object that was found, and
 * the operation uses that same object: between check and use nothing can be swapped.
 */
export class Guard {
  readonly folders: AllowedFolders
  readonly #refuseHardLinks: boolean

  constructor(folders: AllowedFolders, options: { refuseHardLinks: boolean }) {
    this.folders = folders
    this.#refuseHardLinks = options.refuseHardLinks
  }

  /** Finds a file or folder that exists. Links are followed. */
  async locate(given: string): Promise<Held> {
    const path = await this.pathFor(given)
    return this.#checked(await this.#find(path, given), path)
  }

  /** Finds a file or folder that may be missing, in a folder that exists or not. */
  async find(given: string): Promise<Held | undefined> {
    return this.#findExisting(await this.pathFor(given), given)
  }

  /** Finds a folder that exists. */
  async locateFolder(given: string): Promise<Held> {
    const held = await this.locate(given)
    if (held.stats.isDirectory()) return held
    await held[Symbol.asyncDispose]()
    throw new ToolError(`${given} is a file. Expected a folder.`)
  }

  /** Opens the contents of a regular file that was located. */
  async open(held: Held, given: string): Promise<FileHandle> {
    if (held.stats.isDirectory()) throw new ToolError(`${given} is a folder. Use list_directory for its entries.`)
    if (!held.stats.isFile())
      throw new ToolError(`${given} is a device, pipe or socket. Only regular files can be read.`)
    this.checkNames(held, given)
    try {
      return await openHeld(held)
    } catch (error) {
      throw explain(error, given)
    }
  }

  /** Refuses a file with several names, if the operator wants that: a copy of it would have only one. */
  checkNames({ stats }: Held, given: string): void {
    if (!this.#refuseHardLinks || !stats.isFile() || stats.nlink <= 1n) return
    throw new ToolError(`${given} has ${stats.nlink} names, and this server was told to refuse such files.`)
  }

  /** Finds the place of a file to write: that of the file behind a link, or a name that is free. Its folder exists. */
  async locateTarget(given: string): Promise<Target> {
    const path = await this.pathFor(given)
    const existing = await this.#findExisting(path, given)
    if (existing === undefined) return this.#nameIn(dirname(path), basename(path), given)
    try {
      if (this.folders.isFolder(existing.real)) throw new ToolError(`${given} is an allowed folder itself.`)
      return await this.#targetOf(existing, given)
    } catch (error) {
      await existing[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Finds a name itself: a link is the link, not the file that it leads to. */
  async locateName(given: string): Promise<Target> {
    const path = await this.pathFor(given)
    if (this.folders.paths.includes(path)) throw new ToolError(`${given} is an allowed folder itself.`)
    return this.#nameIn(dirname(path), basename(path), given)
  }

  async #targetOf(existing: Held, given: string): Promise<Target> {
    const parent = await this.#checked(await hold(dirname(existing.real), { follow: true }), given)
    const target = toTarget(parent, basename(existing.real), existing)
    try {
      if (isSame(await lstat(target.access, { bigint: true }), existing.stats)) return target
      throw new ToolError(`${given} was replaced at this moment; try again.`)
    } catch (error) {
      await parent[Symbol.asyncDispose]()
      throw explain(error, given)
    }
  }

  async #nameIn(folder: string, name: string, given: string): Promise<Target> {
    const parent = await this.#parent(folder, given)
    try {
      return toTarget(parent, name, await hold(join(parent.access, name), { follow: false }))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return toTarget(parent, name, undefined)
      await parent[Symbol.asyncDispose]()
      throw explain(error, given)
    }
  }

  async #parent(folder: string, given: string): Promise<Held> {
    const parent = await this.#findExisting(folder, given)
    if (parent === undefined) {
      throw new ToolError(`Parent directory does not exist: ${folder}. Use create_directory first.`)
    }
    if (parent.stats.isDirectory()) return parent
    await parent[Symbol.asyncDispose]()
    throw new ToolError(`${folder} is a file. Expected a folder.`)
  }

  /** The absolute path of a request. A relative one lies in the first folder that has it, else in the first folder. */
  async pathFor(given: string): Promise<string> {
    const [first, ...others] = this.folders.list
    if (first === undefined) throw new ToolError(noFolders)
    const path = absolutePath(given, first.real)
    if (!isSelfContained(given)) {
      for (const folder of others.length === 0 ? [] : this.folders.list) {
        const candidate = absolutePath(given, folder.real)
        if (this.folders.containsText(candidate) && (await exists(candidate))) return candidate
      }
    }
    if (this.folders.containsText(path)) return path
    throw new ToolError(
      `Access denied - path outside allowed directories: ${path} not in ${this.folders.paths.join(', ')}`,
    )
  }

  /** Like `#find`, for a path that may be missing in a folder that may be used. */
  async #findExisting(path: string, given: string): Promise<Held | undefined> {
    try {
      return await this.#checked(await hold(path, { follow: true }), path)
    } catch (error) {
      if (error instanceof ToolError) throw error
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        await this.#refuseLinksOutside(path)
        throw explain(error, given)
      }
    }
    const equivalent = await this.#equivalentName(path)
    if (equivalent !== undefined) return this.#checked(await this.#find(equivalent, given), path)
    await this.#refuseLinksOutside(path)
    return undefined
  }

  async #find(path: string, given: string): Promise<Held> {
    try {
      return await hold(path, { follow: true })
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      const equivalent = isMissing ? await this.#equivalentName(path) : undefined
      if (equivalent !== undefined) return this.#find(equivalent, given)
      await this.#refuseLinksOutside(path)
      throw explain(error, given)
    }
  }

  async #checked(held: Held, path: string): Promise<Held> {
    if (this.folders.contains(held.real)) return held
    await held[Symbol.asyncDispose]()
    throw leadsOutside(path)
  }

  /**
   * Refuses a path that cannot be found because it goes through a link. A link to nothing and a link to something outside
   * get the same answer, so that nobody learns which files exist outside.
   */
  async #refuseLinksOutside(path: string): Promise<void> {
    for (let at = path; this.folders.containsText(at); at = dirname(at)) {
      const isLink = await this.#isLink(at)
      if (isLink === undefined) continue
      if (isLink && !(await this.#leadsInside(at))) throw leadsOutside(path)
      return
    }
  }

  /** Nothing, if there is nothing at this path. */
  async #isLink(path: string): Promise<boolean | undefined> {
    try {
      await using found = await hold(path, { follow: false })
      return found.stats.isSymbolicLink() || !this.folders.contains(found.real)
    } catch {
      return undefined
    }
  }

  async #leadsInside(path: string): Promise<boolean> {
    try {
      await using found = await hold(path, { follow: true })
      return this.folders.contains(found.real)
    } catch {
      return false
    }
  }

  /** The same path as the disk spells it, if its accented letters are composed differently there. */
  async #equivalentName(path: string): Promise<string | undefined> {
    const folder = dirname(path)
    const name = basename(path)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that have one spelling only
    if (/^[\x00-\x7f]*$/.test(path) || !this.folders.containsText(folder)) return undefined
    try {
      await using held = await this.locate(folder)
      const names = (await readdir(held.access)).filter((one) => one.normalize('NFC') === name.normalize('NFC'))
      if (names.length > 1) throw new ToolError(`Ambiguous Unicode path component: ${name}`)
      return names[0] === undefined || names[0] === name ? undefined : join(held.real, names[0])
    } catch {
      return undefined
    }
  }
}

const toTarget = (parent: Held, name: string, existing: Held | undefined): Target => ({
  parent,
  name,
  existing,
  real: parent.real.endsWith(sep) ? parent.real + name : parent.real + sep + name,
  access: join(parent.access, name),
  async [Symbol.asyncDispose]() {
    await existing?.[Symbol.asyncDispose]()
    await parent[Symbol.asyncDispose]()
  },
})

const noFolders =
  'No folder may be used. Start this server with the folders as arguments, or use a client that has roots.'

const leadsOutside = (path: string): ToolError =>
  new ToolError(`Access denied - symlink target outside allowed directories: ${path} leads outside, or nowhere`)

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
