import { McpError } from '../../../errors.ts'
import { removeDeadDrafts } from '../../../files/drafts.ts'
import { replaceFile } from '../../../files/replace-file.ts'
import { builtin } from '../../../internal/builtin.ts'
import { isObject } from '../../../jsonrpc/classify.ts'
import { fileLock } from './file-lock.ts'
import type { AuthStore } from './store.ts'

/**
 * Keeps tokens in a file that only the user can read (0600). It is replaced whole and durably, and changed under a lock,
 * so that processes that share it do not undo each other's changes.
 */
export function fileStore(file: string): AuthStore {
  const path = builtin('node:path')
  const fs = builtin('node:fs/promises')
  if (path === undefined || fs === undefined) throw new McpError('unsupported', 'There are no files here')
  const directory = path.dirname(path.resolve(file))
  const lock = fileLock(directory)
  let last: Promise<unknown> = Promise.resolve()
  let cleaning: Promise<void> | undefined

  const read = async (): Promise<Map<string, string>> => {
    let text: string
    // Drafts have tokens in them too.
    cleaning ??= removeDeadDrafts(directory)
    await cleaning
    try {
      text = await fs.readFile(file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
      throw error
    }
    return parse(text, file)
  }

  const write = (values: Map<string, string>): Promise<void> =>
    replaceFile(file, JSON.stringify(Object.fromEntries(values), null, 2))

  const change = (edit: (values: Map<string, string>) => void): Promise<void> => {
    const work = (): Promise<void> =>
      lock.hold(`store ${path.resolve(file)}`, async () => {
        const values = await read()
        edit(values)
        await write(values)
      })
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }

  return {
    get: async (key) => (await read()).get(key),
    set: (key, value) => change((values) => void values.set(key, value)),
    delete: (key) => change((values) => void values.delete(key)),
    clear: () => change((values) => values.clear()),
  }
}

function parse(text: string, file: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value))
      return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {}
  // Its content could be a token.
  throw new McpError('invalid_argument', `${file} is not a file of tokens`)
}
