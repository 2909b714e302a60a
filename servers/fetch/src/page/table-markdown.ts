import type { PageTable } from './page-content.ts'

/** A table as GitHub writes it. */
export function tableMarkdown({ caption, header, rows }: PageTable): string {
  const [first = [], ...rest] = header.length > 0 ? [header, ...rows] : rows
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|') || ' ').join(' | ')} |`
  const lines = [line(first), line(first.map(() => '---')), ...rest.map(line)]
  return `${caption === '' ? '' : `${caption}\n\n`}${lines.join('\n')}`
}
