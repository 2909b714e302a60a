import { type Count, count, isOf, levels, type Pair, pairs } from './counts.ts'
import { isOurs, missingIn, type Shown } from './coverage.ts'
import { type Excuse, excuseOf, independents } from './exceptions.ts'
import { type Requirement, requirements } from './table.ts'

const revisions = [...new Set(pairs.map(({ revision }) => revision))].sort()
const areas = [...new Set(pairs.map(({ requirement }) => requirement.area))]
const roles = [...new Set(pairs.map(({ requirement }) => requirement.role))].sort()

/** A dot if there is nothing to show. */
const share = ({ shown, all }: Count): string => (all === 0 ? '·' : `${shown} of ${all}`)

type Rows = readonly (readonly string[])[]

/** One level: a row for each area, a column for each revision. */
function matrixOf(shown: Shown, level: readonly string[]): Rows {
  const row = (name: string, isMine: (pair: Pair) => boolean): string[] => {
    const of = (revision?: string): string =>
      share(count(shown, (pair) => isOf(level)(pair) && isMine(pair) && pair.revision === (revision ?? pair.revision)))
    return [name, ...revisions.map(of), of()]
  }
  return [
    ['Area', ...revisions, 'all'],
    ...areas.map((area) => row(area, ({ requirement }) => requirement.area === area)),
    row('**all**', () => true),
  ]
}

/** A row for each role, a column for each level. */
const byRole = (shown: Shown): Rows => [
  ['Who', ...levels.map(([, names]) => names.join(', ').replaceAll('-', ' '))],
  ...roles.map((role) => [
    role,
    ...levels.map(([, names]) => share(count(shown, (pair) => isOf(names)(pair) && pair.requirement.role === role))),
  ]),
]

const inText = (rows: Rows): string =>
  rows
    .map(([name = '', ...cells]) =>
      [name.replaceAll('*', '').padEnd(32), ...cells.map((cell) => cell.padEnd(14))].join('').trimEnd(),
    )
    .join('\n')

const inMarkdown = ([head = [], ...rows]: Rows): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** The number of shown requirements, in one line. */
export function summaryOf(shown: Shown): string {
  const of = ([name, names]: (typeof levels)[number]): string => `${name} ${share(count(shown, isOf(names)))}`
  return `requirements shown by tests, in each revision where they hold: ${levels.map(of).join(', ')}`
}

/** The same by area and revision, by role, and the requirements that are neither shown nor explained. */
export function detailsOf(shown: Shown, excuses: readonly Excuse[]): string {
  const matrices = levels.map(([name, names]) => `${name}\n${inText(matrixOf(shown, names))}`)
  return [unexplained(shown, excuses).join('\n'), ...matrices, inText(byRole(shown)), summaryOf(shown)].join('\n\n')
}

const isDemanded = (one: Requirement): boolean => isOurs(one) && one.level !== 'may'

/** Missing requirements, one line each. */
export function unexplained(shown: Shown, excuses: readonly Excuse[]): string[] {
  return [...requirements.values()].filter(isDemanded).flatMap((one) => {
    const open = missingIn(one, shown).filter((revision) => excuseOf(excuses, one.id, revision) === undefined)
    return open.length === 0
      ? []
      : [`${one.level.padEnd(10)} ${one.role.padEnd(6)} ${one.id} in ${open.join(', ')}: ${one.says}`]
  })
}

function explained(shown: Shown, excuses: readonly Excuse[]): string[][] {
  return [...requirements.values()].filter(isDemanded).flatMap((one) => {
    const missing = missingIn(one, shown)
    const reasons = new Map<string, string[]>()
    for (const revision of missing) {
      const reason = excuseOf(excuses, one.id, revision)
      if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), revision])
    }
    return [...reasons].map(([reason, of]) => [
      `\`${one.id}\``,
      one.says.replaceAll('|', '\\|'),
      of.length === one.revisions.length ? 'all' : of.join(', '),
      reason,
    ])
  })
}

/** The page of the documentation. */
export function pageOf(shown: Shown, excuses: readonly Excuse[]): string {
  const [must, should, may] = levels.map(([, names]) => inMarkdown(matrixOf(shown, names)))
  const same = independents.map(({ pattern, places, reason }) => [
    `\`${pattern.text}\``,
    places.map((place) => `\`${place}\``).join(' '),
    reason,
  ])
  return `# Requirements of the specification

Written by \`npm run coverage:requirements\`. Counted are the statements that software can show and that are for clients, servers or
both, once for each revision in which they hold: how many of them a passing test cites that spoke this revision. Each statement is
restated in [one table](../conformance/spec/requirements.tsv), with its page in the specification.

Which revisions a test speaks is seen, not told: everything in the library that depends on a revision is asked of the codec of that
revision, and while tests run somebody watches who asks. A test in which no codec is asked shows its requirement in every revision,
because nothing in it can know of one. Tests with processes of their own say which revision these speak.

## Must and must not

${must}

## Should and should not

${should}

## May

${may}

## By role

${inMarkdown(byRole(shown))}

## The same in every revision

What a test shows in one revision counts in all where the code that does it has no way to learn of a revision: these places import
nothing from \`wire/\` and name no revision, which is checked.

${inMarkdown([['Requirements', 'Code', 'Reason'], ...same])}

## Not shown, and why

${inMarkdown([['Requirement', 'It says', 'Revisions', 'Not shown because'], ...explained(shown, excuses)])}
`
}

/** The lines that differ between the page as it is and as it should be, as `- is` and `+ should be`. */
export function staleLines(is: string, shouldBe: string): string[] {
  const [before, after] = [is.split('\n'), shouldBe.split('\n')]
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`)
  return [...gone, ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`)]
}
