import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type EvalRate, mergeRates, readRates } from './compare.ts'

/** The pass rates of the last evaluation of a file, kept in the data folder for everything that runs the file. */
export class LastRun {
  readonly #file: string
  readonly #path: string

  /** `path` is the full path of the file of cases, `folder` the one of `tenonFolder`. */
  constructor(path: string, folder: string) {
    const name = createHash('sha256').update(path).digest('hex').slice(0, 32)
    this.#path = path
    this.#file = join(folder, 'evals', `${name}.json`)
  }

  /** Without an earlier run, or with one that cannot be read, there are none. */
  async load(): Promise<EvalRate[]> {
    try {
      return readRates(await readFile(this.#file, 'utf8'), this.#file)
    } catch {
      return []
    }
  }

  /** Cases that were not run keep their rates. A file that cannot be written is no failure. */
  async save(before: readonly EvalRate[], rates: readonly EvalRate[]): Promise<void> {
    const report = { tenonEvalsReport: 1, file: this.#path, cases: mergeRates(before, rates) }
    const { replaceFile } = await import('@tenon/sdk/auth')
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 })
      await replaceFile(this.#file, `${JSON.stringify(report)}\n`)
    } catch {}
  }
}
