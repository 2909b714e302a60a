import { appendFile, chmod, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tenonFolder } from '@tenon/host/folder'
import { pastedBreak } from '../terminal/paste.ts'

const most = 1_000

/** The lines of earlier sessions, in a file that only the user can read. */
export class History {
  readonly #file: string

  constructor(env: NodeJS.ProcessEnv, name = 'history') {
    this.#file = join(tenonFolder({ env }), name)
  }

  /** Newest first. */
  async load(): Promise<string[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '')
    const lines = text.split('\n').filter((line) => line !== '')
    if (lines.length > 2 * most) await this.#write(lines.slice(-most)).catch(() => {})
    return lines.slice(-most).reverse()
  }

  /** A line that begins with a space is not kept, as in a shell. A history that cannot be written is no failure. */
  async add(line: string): Promise<void> {
    if (/^\s|^$/.test(line)) return
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 })
      await appendFile(this.#file, `${oneLine(line)}\n`, { mode: 0o600 })
      await chmod(this.#file, 0o600)
    } catch {}
  }

  async #write(lines: readonly string[]): Promise<void> {
    const { replaceFile } = await import('@tenon/sdk/auth')
    await replaceFile(this.#file, `${lines.join('\n')}\n`)
  }
}

/** A command of several lines, as it is shown in one. */
export const oneLine = (text: string): string => text.replaceAll('\n', pastedBreak)
