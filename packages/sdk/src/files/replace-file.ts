import { builtin } from '../internal/builtin.ts'
import { endDraft, newDraft, removeDeadDrafts } from './drafts.ts'
import { syncFolder, writeDurably } from './durable.ts'

const maxAttempts = 5

/**
 * Replaces the content of a file, all of it or none. When this resolves it outlives a power failure; when it rejects,
 * and after a kill, the old content is there. The file is readable by its user only (0600). A kill may leave a draft
 * beside the file: the next replacement in that folder removes it.
 *
 * @example
 * await replaceFile(join(folder, 'settings.json'), JSON.stringify(settings))
 */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const { dirname, resolve } = builtin('node:path')!
  const target = resolve(file)
  const folder = dirname(target)
  await removeDeadDrafts(folder)
  for (let attempt = 1; ; attempt++) {
    const draft = newDraft(folder, target)
    try {
      await writeDurably(draft, content)
      await builtin('node:fs/promises')!.rename(draft, target)
      break
    } catch (error) {
      // A process on another machine may have taken this writer for dead.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone || attempt === maxAttempts) throw error
    } finally {
      await endDraft(draft)
    }
  }
  await syncFolder(folder)
}
