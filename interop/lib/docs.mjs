// Writes the tables of docs/interop.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { differences } from '../differences.mjs'
import { versionOf } from './install.mjs'
import { isThere } from './judge.mjs'
import { transports } from './matrix.mjs'

const page = new URL('../../docs/interop.md', import.meta.url)
const begin = '<!-- results: written by `npm run interop -- --write` -->'
const end = '<!-- end of the results -->'

export function writeDocs(report, peers, tasks) {
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`docs/interop.md has no lines ${begin} and ${end}`)
  const written = formatResults(report, peers, tasks)
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${written}\n\n${text.slice(to)}`)
}

/** Both tables, and the meaning of their numbers. */
export function formatResults({ results }, peers, tasks, known = differences) {
  const shown = known.filter((one) => results.some((result) => isAt(one, result)))
  const numbers = new Map(shown.map(({ id }, i) => [id, i + 1]))
  const tableOf = (side, other) =>
    table(
      results.filter((one) => one[side] === 'tenon'),
      other,
      peers,
      tasks,
      numbers,
      shown,
    )
  return [
    countLine(results),
    "## Tenon's client with other servers",
    tableOf('client', 'server'),
    "## Other clients with Tenon's everything server",
    tableOf('server', 'client'),
    '## Differences',
    shown.map(({ title, reason }, i) => `${i + 1}. **${title}.** ${reason}`).join('\n'),
    '## Test cases',
    tasks.map(taskLine).join('\n'),
  ].join('\n\n')
}

/** The description of a task, and the requirements that a pass shows in the revisions that have them. */
function taskLine({ title, about, shows = [] }) {
  const ids = shows.map((id) => `\`${id}\``).join(', ')
  return `- **${title}**: ${about}${ids && ` (${ids})`}`
}

/** Without numbers that depend on occasional differences, so that equal runs write equal pages. */
function countLine(results) {
  const pairs = new Set(results.map(({ client, server, transport }) => `${client} ${server} ${transport}`)).size
  const tried = results.filter(({ outcome }) => outcome !== 'not offered').length
  return [
    `${tried} pieces of work in ${pairs} pairs. ✓ was done as described, a number is a [difference](#differences), both`,
    'together are one that occurs sometimes, and a dot is a feature that one of the two lacks.',
  ].join('\n')
}

function table(results, other, peers, tasks, numbers, shown) {
  const rows = peers.flatMap((peer) =>
    transports.flatMap((transport) => {
      const own = results.filter((one) => one[other] === peer.name && one.transport === transport)
      return own.length === 0 ? [] : [row(peer, transport, own, tasks, numbers, shown)]
    }),
  )
  const head = ['', 'over', 'revision', ...tasks.map(({ title }) => title)]
  return [cells(head), cells(head.map((_, i) => (i < 3 ? '---' : ':-:'))), ...rows].join('\n')
}

function row(peer, transport, results, tasks, numbers, shown) {
  const revision = results.find((one) => one.revision)?.revision ?? ''
  const marks = tasks.map(({ name }) =>
    mark(
      results.find(({ task }) => task === name),
      numbers,
      shown,
    ),
  )
  return cells([label(peer), transport.replace('-2026', ''), revision, ...marks])
}

/** An occasional difference is shown wherever it can occur, so that the page does not change by chance. */
function mark(result, numbers, shown) {
  if (result === undefined || result.outcome === 'not offered') return '·'
  const here = shown.find((one) => isAt(one, result))
  if (here) return `${here.sometimes ? '✓ ' : ''}[${numbers.get(here.id)}](#differences)`
  return result.outcome === 'pass' ? '✓' : '✗'
}

const isAt = (one, result) =>
  result.difference === one.id || (one.sometimes === true && result.outcome !== 'not offered' && isThere(one, result))

const label = ({ name, title, packages, version: own }) => {
  const version = own ? ` ${own()}` : packages ? ` ${versionOf(packages[0])}` : ''
  return name.endsWith('-2026') ? `${title}${version}, 2026-07-28 behind it` : `${title}${version}`
}

const cells = (values) => `| ${values.join(' | ')} |`
