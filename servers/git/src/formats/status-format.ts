/** The format of `git status --porcelain=v2 --branch -z`. */

export interface FileStatus {
  readonly path: string
  readonly old_path?: string
  readonly staged?: string
  readonly unstaged?: string
  readonly kind: 'tracked' | 'untracked' | 'conflict'
}

export interface Status {
  readonly branch: string | null
  readonly commit: string | null
  readonly upstream?: string
  readonly ahead?: number
  readonly behind?: number
  readonly files: readonly FileStatus[]
}

const changes = new Map([
  ['M', 'modified'],
  ['A', 'added'],
  ['D', 'deleted'],
  ['R', 'renamed'],
  ['C', 'copied'],
  ['T', 'type changed'],
])

export function parseStatus(text: string): Status {
  const fields = text.split('\0')
  const headers = new Map<string, string>()
  const files: FileStatus[] = []
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!
    if (field.startsWith('# ')) {
      const [, name, value] = /^# (\S+) (.*)$/s.exec(field)!
      headers.set(name!, value!)
    } else if (field.startsWith('2 ')) files.push({ ...changed(field, 9), old_path: fields[++index]! })
    else if (field.startsWith('1 ')) files.push(changed(field, 8))
    else if (field.startsWith('u ')) files.push({ path: after(field, 10), kind: 'conflict' })
    else if (field.startsWith('? ')) files.push({ path: after(field, 1), kind: 'untracked' })
  }
  return { ...headFacts(headers), files }
}

function headFacts(headers: ReadonlyMap<string, string>): Omit<Status, 'files'> {
  const head = headers.get('branch.head')
  const commit = headers.get('branch.oid')
  const upstream = headers.get('branch.upstream')
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? []
  return {
    branch: head === undefined || head === '(detached)' ? null : head,
    commit: commit === undefined || commit === '(initial)' ? null : commit,
    ...(upstream !== undefined && { upstream }),
    ...(ahead !== undefined && { ahead: Number(ahead), behind: Number(behind) }),
  }
}

function changed(field: string, words: number): FileStatus {
  const staged = changes.get(field[2]!)
  const unstaged = changes.get(field[3]!)
  return {
    path: after(field, words),
    ...(staged && { staged }),
    ...(unstaged && { unstaged }),
    kind: 'tracked',
  }
}

/** The text after a number of words; paths may contain spaces. */
const after = (field: string, words: number): string => field.split(' ').slice(words).join(' ')
