import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Transcript, TranscriptFile } from '@tenon/host/chat'
import { tenonFolder } from '@tenon/host/folder'
import { usage } from '../../exit.ts'
import type { Surroundings } from '../../terminal/terminal.ts'

/** A conversation, and its id if it is saved. */
export interface Conversation {
  readonly transcript: Transcript
  readonly id: string | undefined
  close(): Promise<void>
}

/** The saved conversations, in a folder that only the user can read. */
export class Conversations {
  readonly #folder: string
  readonly #cwd: string
  readonly #saves: boolean

  constructor({ env, cwd }: Surroundings, saves: boolean) {
    this.#folder = join(tenonFolder({ env }), 'chats')
    this.#cwd = cwd
    this.#saves = saves
  }

  async begin(): Promise<Conversation> {
    const { createTranscript } = await import('@tenon/host/chat')
    if (!this.#saves) return { transcript: createTranscript(), id: undefined, close: async () => {} }
    const time = new Date().toISOString().slice(0, 23).replace(/[:.]/g, '-')
    return await this.#open(`${time}-${randomBytes(2).toString('hex')}`)
  }

  /** Goes on with the last conversation, with one by its id, or with the copy of a file. */
  async resume(name: string): Promise<Conversation> {
    const ids = await this.ids()
    const id = name === 'last' ? ids.at(-1) : ids.find((one) => one === name)
    if (id !== undefined) return await this.#open(id)
    if (name === 'last') throw usage('There is no conversation to go on with', `They are saved in ${this.#folder}.`)
    const entries = await readTranscript(resolve(this.#cwd, name), name, ids)
    const conversation = await this.begin()
    for (const entry of entries) await conversation.transcript.append(entry)
    return conversation
  }

  /** The ids; the one that was used last is last. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch((): string[] => [])
    const ids = names.flatMap((name) => /^([\w-]+)\.jsonl$/.exec(name)?.[1] ?? []).sort()
    const used = await Promise.all(ids.map(async (id) => ({ id, at: (await stat(this.#path(id))).mtimeMs })))
    return used.sort((one, other) => one.at - other.at).map(({ id }) => id)
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.jsonl`)
  }

  async #open(id: string): Promise<Conversation> {
    const { openTranscript } = await import('@tenon/host/chat')
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const transcript: TranscriptFile = await openTranscript(this.#path(id))
    return { transcript, id, close: () => transcript.close() }
  }
}

/** The entries of a file that `--export` or `/save` wrote, or of a saved conversation. */
async function readTranscript(path: string, name: string, ids: readonly string[]): Promise<Transcript['entries']> {
  const { createTranscript } = await import('@tenon/host/chat')
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    const known = ids.length === 0 ? 'There are none.' : `The last ones are ${ids.slice(-3).join(', ')}.`
    throw usage(`There is neither a conversation nor a file ${JSON.stringify(name)}: ${error.message}`, known)
  })
  return createTranscript(parsed(text, path)).entries
}

/** One JSON document, or one per line with the header first. */
function parsed(text: string, path: string): unknown {
  try {
    const lines = text.split('\n').filter((line) => line !== '')
    const [header, ...entries] = lines.map((line) => JSON.parse(line))
    return header?.entries === undefined ? { ...header, entries } : header
  } catch {
    try {
      return JSON.parse(text)
    } catch {
      throw usage(`${path} is not a conversation: expected JSON as --export and /save write it`)
    }
  }
}
