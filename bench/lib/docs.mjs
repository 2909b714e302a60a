// Writes the measured part of docs/benchmarks.md, and the plots that it shows.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { implementations } from './implementations.mjs'
import { plotScenario } from './plot.mjs'
import { formatNumber, formatRatio, formatSpread } from './rows.mjs'

const page = new URL('../../docs/benchmarks.md', import.meta.url)
const plots = new URL('../plots/', import.meta.url)
const begin = '<!-- measured: written by `npm run bench -- --write` -->'
const end = '<!-- end of the measurements -->'

export function writeDocs(report) {
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`docs/benchmarks.md has no lines ${begin} and ${end}`)
  const links = writePlots(report.rows)
  const measured = [describeRun(report), ...measuredTables(report.rows), links.join('\n\n')]
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${measured.join('\n\n')}\n\n${text.slice(to)}`)
}

function describeRun({ machine, versions, rows }) {
  const samples = Math.max(...rows.flatMap(({ results }) => Object.values(results).map((one) => one.samples.length)))
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${machine.cpu}, ${machine.memory}, ${machine.system}, Node ${machine.node}. ${peers.join(', ')}. Medians of up to ${samples} samples; ± is half the distance between the quartiles.`
}

/** The tables of a run, as text. */
export const measuredTables = (rows) => [targetTable(rows), ...latencyTable(rows), ...comparedTables(rows)]

/** Every row with its target, for Tenon. */
function targetTable(rows) {
  const lines = rows
    .filter(({ results }) => results.tenon)
    .map((row) => {
      const { limit, tenon } = row.results
      return cells([
        `${row.title}: ${row.row}`,
        `${formatNumber(tenon.median)} ${row.unit} ${formatSpread(tenon.spread)}`,
        limit ? formatNumber(limit.median) : '',
        formatRatio(row.toLimit),
        formatRatio(row.cpuToLimit),
        formatRatio(row.toNet),
        formatRatio(row.toSdk),
        row.verdicts.map(formatVerdict).filter(Boolean).join('<br>'),
      ])
    })
  const head = ['scenario', 'Tenon', 'limit', 'ratio', 'by CPU', 'to `node:net`', 'to SDK v2', 'target']
  return table(head, lines)
}

const formatVerdict = ({ target, reached }) => (reached === undefined ? '' : `${target}: ${reached ? 'yes' : '**no**'}`)

/** Times to an answer and memory of Tenon, each with its ratio to the limit: lower is better. */
function latencyTable(rows) {
  const lines = rows
    .filter(({ results }) => results.tenon?.p50)
    .map((row) => {
      const { p50, p99, rss } = row.results.tenon
      const withRatio = (value, ratio) => `${formatNumber(value)}${ratio ? ` (${formatRatio(ratio)}×)` : ''}`
      return cells([
        `${row.title}: ${row.row}`,
        withRatio(p50, row.p50ToLimit),
        withRatio(p99, row.p99ToLimit),
        rss ? withRatio(Math.round(rss), row.rssToLimit) : '',
      ])
    })
  if (lines.length === 0) return []
  return ['## Latency and memory under load', table(['scenario', 'p50 µs', 'p99 µs', 'RSS MiB'], lines)]
}

/** Figures of all implementations, for rows with peers: those of the row, and CPU time where cores are not the same. */
function comparedTables(rows) {
  return [
    ...comparedTable(
      '## Side by side',
      rows.filter(isCompared),
      ({ row, unit, title }) => `${title}: ${row} (${unit})`,
      'median',
    ),
    ...comparedTable(
      '## CPU time per call, in microseconds',
      rows.filter((row) => Object.keys(row.results).some((name) => foreign.includes(name)) && row.results.tenon?.cpu),
      ({ row, title }) => `${title}: ${row}`,
      'cpu',
    ),
  ]
}

function comparedTable(heading, rows, titleOf, figure) {
  if (rows.length === 0) return []
  const names = implementations.map(({ name }) => name).filter((name) => rows.some(({ results }) => results[name]))
  const lines = rows.map((row) =>
    cells([titleOf(row), ...names.map((name) => formatNumber(row.results[name]?.[figure]))]),
  )
  return [heading, table(['scenario', ...names], lines)]
}

const foreign = implementations.flatMap(({ name, toolchain }) => (toolchain ? [name] : []))
const isCompared = ({ results }) => Object.keys(results).some((name) => name !== 'limit' && name !== 'tenon')

const cells = (values) => `| ${values.join(' | ')} |`
const table = (head, lines) => [cells(head), cells(head.map(() => '---')), ...lines].join('\n')

/** One plot per scenario, of the rows that --quick has too: all of them would be pages long. */
function writePlots(rows) {
  mkdirSync(plots, { recursive: true })
  const names = [...new Set(rows.map(({ scenario }) => scenario))]
  return names.flatMap((name) => {
    const own = rows.filter((row) => row.scenario === name && !row.full && isCompared(row))
    if (own.length === 0) return []
    writeFileSync(new URL(`${name}.svg`, plots), plotScenario(own))
    return [`![${own[0].title}](../bench/plots/${name}.svg)`]
  })
}
