import { z } from 'zod'

/** The numbers of changed lines per file, from `--numstat -z`. */
export interface DiffStat {
  readonly files: readonly {
    path: string
    old_path?: string | undefined
    additions: number | null
    deletions: number | null
  }[]
  readonly additions: number
  readonly deletions: number
  /** Files that are not listed. */
  readonly omitted: number
}

const maxFiles = 1_000

export const statSchema: z.ZodType<DiffStat> = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      old_path: z.string().optional(),
      additions: z.int().nullable().describe('Null for a binary file'),
      deletions: z.int().nullable(),
    }),
  ),
  additions: z.int(),
  deletions: z.int(),
  omitted: z.int().describe('Files that are not listed'),
})

export function parseNumstat(text: string): DiffStat {
  const fields = text.split('\0')
  const files: { path: string; old_path?: string | undefined; additions: number | null; deletions: number | null }[] =
    []
  for (let index = 0; index < fields.length; index++) {
    const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[index]!) ?? []
    if (path === undefined) continue
    const counts = { additions: numberOf(added!), deletions: numberOf(deleted!) }
    // A rename has an empty path here, and both paths after it.
    if (path === '') files.push({ old_path: fields[++index]!, path: fields[++index]!, ...counts })
    else files.push({ path, ...counts })
  }
  const sum = (key: 'additions' | 'deletions'): number => files.reduce((total, file) => total + (file[key] ?? 0), 0)
  return {
    files: files.slice(0, maxFiles),
    additions: sum('additions'),
    deletions: sum('deletions'),
    omitted: Math.max(0, files.length - maxFiles),
  }
}

const numberOf = (text: string): number | null => (text === '-' ? null : Number(text))

export function statText({ files, additions, deletions, omitted }: DiffStat): string[] {
  const lines = files.map(({ path, additions, deletions }) =>
    additions === null ? `${path}: binary` : `${path}: +${additions} -${deletions}`,
  )
  if (omitted > 0) lines.push(`… and ${omitted} more files`)
  return [...lines, `${files.length + omitted} files changed, ${additions} insertions, ${deletions} deletions`]
}
