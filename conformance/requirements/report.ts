import { type Count, type Excuses, excuseOf, isOurs } from './coverage.ts'
import { type Requirement, requirements } from './table.ts'

type Counts = ReadonlyMap<string, ReadonlyMap<string, Count>>

const columns: readonly (readonly [string, readonly Requirement['level'][]])[] = [
  ['must', ['must', 'must-not']],
  ['should', ['should', 'should-not']],
  ['may', ['may']],
]

const add = (one: Count, other: Count): Count => ({ shown: one.shown + other.shown, all: one.all + other.all })

const sumOf = (levels: ReadonlyMap<string, Count>, names: readonly string[]): Count =>
  names.map((name) => levels.get(name) ?? { shown: 0, all: 0 }).reduce(add)

/** All areas as one. */
const total = (counts: Counts): ReadonlyMap<string, Count> =>
  new Map(columns.map(([name, levels]) => [name, [...counts.values()].map((area) => sumOf(area, levels)).reduce(add)]))

const share = ({ shown, all }: Count): string => `${shown} of ${all}`

/** How many requirements were shown: one line, or a table of the areas. */
export function summaryOf(counts: Counts, { areas = false } = {}): string {
  const line = (name: string, levels: ReadonlyMap<string, Count>): string =>
    [name.padEnd(32), ...columns.map(([, names]) => share(sumOf(levels, names)).padEnd(12))].join(' ').trimEnd()
  const head = ['requirements shown by tests'.padEnd(32), ...columns.map(([name]) => name.padEnd(12))]
    .join(' ')
    .trimEnd()
  const rows = areas ? [...counts].map(([area, levels]) => line(area, levels)) : []
  return [head, ...rows, line('all', total(counts))].join('\n')
}

const missing = (covered: ReadonlySet<string>): Requirement[] =>
  [...requirements.values()].filter((one) => isOurs(one) && one.level !== 'may' && !covered.has(one.id))

/** What is neither shown nor explained. */
export function missingIn(covered: ReadonlySet<string>, excuses: Excuses): string {
  const rows = missing(covered).filter(({ id }) => excuseOf(id, excuses) === undefined)
  return rows.map(({ level, role, id }) => `${level.padEnd(10)} ${role.padEnd(6)} ${id}`).join('\n')
}

/** The page of the documentation. */
export function pageOf(counts: Counts, covered: ReadonlySet<string>, excuses: Excuses): string {
  const row = (name: string, levels: ReadonlyMap<string, Count>): string =>
    `| ${[name, ...columns.map(([, names]) => share(sumOf(levels, names)))].join(' | ')} |`
  const explained = missing(covered).flatMap(({ id }) => {
    const reason = excuseOf(id, excuses)
    return reason === undefined ? [] : [`| \`${id}\` | ${reason} |`]
  })
  return `# Requirements of the specification

Written by \`npm run coverage:requirements\`. Counted are the statements that software can show and that are for clients, servers or
both: how many of them a passing test cites.

| Area | must, must not | should, should not | may |
| --- | --- | --- | --- |
${[...counts].map(([area, levels]) => row(area, levels)).join('\n')}
${row('**all**', total(counts))}
${explained.length === 0 ? '' : `\n## Not shown, and why\n\n| Requirement | Reason |\n| --- | --- |\n${explained.join('\n')}\n`}`
}
