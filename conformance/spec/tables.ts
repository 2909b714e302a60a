import { readFileSync } from 'node:fs'

const columns = {
  requirements: ['area', 'id', 'level', 'role', 'revisions', 'testable', 'source', 'says', 'note'],
  methods: [
    'method',
    'kind',
    'extension',
    'revisions',
    'sender',
    'carrier',
    'message',
    'params',
    'paramsRequired',
    'results',
    'clientCapability',
    'serverCapability',
    'note',
  ],
} as const

type Row<Table extends keyof typeof columns> = { [name in (typeof columns)[Table][number]]: string }

/** The rows of a table beside this file. Empty cells at the end of a row are left out there. */
export function readTable<Table extends keyof typeof columns>(table: Table): Row<Table>[] {
  const names: readonly string[] = columns[table]
  const file = `${table}.tsv`
  const [head, ...lines] = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  if (head !== names.join('\t')) throw new Error(`${file}: expected the columns ${names.join(', ')}; got ${head}`)
  return lines.map((line, index) => {
    const cells = line.split('\t')
    if (cells.length > names.length) {
      throw new Error(`${file}:${index + 2}: expected at most ${names.length} cells, got ${cells.length}`)
    }
    return Object.fromEntries(names.map((name, column) => [name, cells[column] ?? ''])) as Row<Table>
  })
}

/** The values of a cell that holds a list. */
export const listIn = (cell: string): string[] => (cell === '' ? [] : cell.split(','))

/** The published schema of a revision, without its prose. */
export const readSchema = (revision: string): unknown =>
  JSON.parse(readFileSync(new URL(`schema/${revision}.json`, import.meta.url), 'utf8'))
