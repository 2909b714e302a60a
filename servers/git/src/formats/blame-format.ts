export interface BlamedLine {
  line: number
  commit: string
  author: string
  date: string
  summary: string
  text: string
}

/** Reads `git blame --porcelain`: the facts of a commit stand at its first line only. */
export function parseBlame(text: string): BlamedLine[] {
  const facts = new Map<string, Map<string, string>>()
  const lines: BlamedLine[] = []
  let commit = ''
  let line = 0
  for (const one of text.split('\n')) {
    const [, id, final] = /^([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$/.exec(one) ?? []
    if (id !== undefined) {
      commit = id
      line = Number(final)
      if (!facts.has(id)) facts.set(id, new Map())
    } else if (one.startsWith('\t')) {
      const known = facts.get(commit)!
      lines.push({
        line,
        commit,
        author: known.get('author') ?? '',
        date: new Date(Number(known.get('author-time') ?? 0) * 1000).toISOString(),
        summary: known.get('summary') ?? '',
        text: one.slice(1, 2_001),
      })
    } else if (one !== '') {
      const space = one.indexOf(' ')
      if (space !== -1) facts.get(commit)?.set(one.slice(0, space), one.slice(space + 1))
    }
  }
  return lines
}
