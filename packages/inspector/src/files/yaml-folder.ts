import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '@tenon/sdk/auth'
import { RequestProblem } from '../problem.ts'

const maxFiles = 200
const maxBytes = 4 * 1024 * 1024

/** A name that stays in the folder and that every system can write. */
const fileName = /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,100}\.(?:ya?ml|json)$/u

/** A folder of files that people write, too. It is made when the first one is saved. */
export class YamlFolder {
  readonly path: string
  readonly #contents: string

  /** `contents` says what the files hold, such as `saved calls`. */
  constructor(path: string, contents: string) {
    this.path = path
    this.#contents = contents
  }

  async names(): Promise<string[]> {
    try {
      const found = await readdir(this.path, { withFileTypes: true })
      const names = found.filter((entry) => entry.isFile() && fileName.test(entry.name)).map(({ name }) => name)
      return names.toSorted().slice(0, maxFiles)
    } catch {
      return []
    }
  }

  async read(name: string): Promise<string> {
    const path = this.#pathOf(name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) throw new RequestProblem(`There is no file ${name} in ${this.path}`)
    if (found.size > maxBytes) throw new RequestProblem(`${name} has more than ${maxBytes} bytes`)
    return readFile(path, 'utf8')
  }

  /** Writes a file in one step: a reader sees the old one or the new one. */
  async write(name: string, text: string): Promise<void> {
    const path = this.#pathOf(name)
    if (text.length > maxBytes) throw new RequestProblem(`A file of ${this.#contents} takes at most ${maxBytes} bytes`)
    await mkdir(this.path, { recursive: true, mode: 0o700 })
    await replaceFile(path, text)
  }

  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true })
  }

  /** A name for a new file that no other has. */
  async newName(title: string): Promise<string> {
    const plain = title.replace(/\.(?:ya?ml|json)$/i, '').toLowerCase()
    const words = plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')
    const base = words.slice(0, 60) || this.#contents.replaceAll(' ', '-')
    const taken = new Set(await this.names())
    for (let count = 1; ; count++) {
      const name = count === 1 ? `${base}.yaml` : `${base}-${count}.yaml`
      if (!taken.has(name)) return name
    }
  }

  #pathOf(name: string): string {
    if (!fileName.test(name)) {
      throw new RequestProblem(`${JSON.stringify(name)} is no name for a file of ${this.#contents}`)
    }
    return join(this.path, name)
  }
}
