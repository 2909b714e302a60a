import type { TaskStore } from '../server/tasks/store/task-store.ts'

export interface FileTaskStoreOptions {
  /** Called for unreadable records; they are set aside. Default: a warning of the process, which goes to stderr. */
  onError?: (error: unknown) => void
}

/**
 * Keeps tasks in a folder, which processes on one machine may share: one folder per owner, one per task, and in it a
 * file that is named after the version of the record. They are readable by the owner of the process alone; they hold
 * arguments, answers, results and data about the caller, `auth` included. A version is on the disk before it is
 * acknowledged. An unreadable record is moved to `.set-aside` in the folder, and disturbs no other.
 *
 * @example
 * createServer({ name: 'jobs', version: '1.0.0', tools: [encode], tasks: { store: fileTaskStore('./tasks') } })
 */
export function fileTaskStore(folder: string, options: FileTaskStoreOptions = {}): TaskStore {
  let opening: Promise<TaskStore> | undefined
  // Loaded with the first task: most listening servers have none.
  const store = (): Promise<TaskStore> => {
    opening ??= import('./task-folders.ts').then(({ taskFolders }) => taskFolders(folder, options))
    return opening
  }
  return {
    create: async (record) => (await store()).create(record),
    get: async (owner, id) => (await store()).get(owner, id),
    replace: async (record) => (await store()).replace(record),
    delete: async (owner, id) => (await store()).delete(owner, id),
    list: async (owner) => (await store()).list(owner),
    count: async (owner) => (await store()).count(owner),
  }
}
