import { ToolError } from '@tenon/sdk/server'

const reasons = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EACCES', 'the system denies it: the user of this server lacks the permission'],
  ['EPERM', 'the system does not permit it'],
  ['ENOTDIR', 'a part of the path is a file, not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'it exists already'],
  ['ENOTEMPTY', 'the folder is not empty'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ELOOP', 'its symbolic links run in a circle'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EROFS', 'the disk is read-only'],
  ['EBUSY', 'it is in use'],
  ['ETXTBSY', 'it is a program that runs'],
  ['EMFILE', 'too many files are open; try again'],
  ['ENFILE', 'too many files are open; try again'],
  ['EXDEV', 'source and destination are on different disks; use copy_file, then delete_file'],
  ['EINVAL', 'a folder cannot be moved into itself'],
  ['ESTALE', 'it was replaced at this moment; try again'],
])

/** An error of the system as a sentence about the path that the model gave; other errors stay as they are. */
export function explain(error: unknown, path: string): unknown {
  const { code, syscall, name } = (error ?? {}) as NodeJS.ErrnoException
  if (name === 'TimeoutError') {
    return new ToolError(`${path}: it took longer than --max-time allows, and was stopped. Choose a smaller folder.`)
  }
  if (typeof code !== 'string' || syscall === undefined) return error
  return new ToolError(`${path}: ${reasons.get(code) ?? `the system says ${code}`}`, { cause: error })
}

/** Runs a step for a path, and explains its errors. */
export async function about<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw explain(error, path)
  }
}
