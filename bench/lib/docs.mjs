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
  const measured = [describeRun(report), targetTable(report.rows), ...peerTables(report.rows), links.join('\n\n')]
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${measured.join('\n\n')}\n\n${text.slice(to)}`)
}

function describeRun({ machine, versions, rows }) {
  const samples = Math.max(...rows.flatMap(({ results }) => Object.values(results).map((one) => one.samples.length)))
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${machine.cpu}, ${machine.memory}, ${machine.system}, Node ${machine.node}. ${peers.join(', ')}. Medians of up to ${samples} samples; ± is half the distance between the quartiles.`
}

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
        formatRatio(row.toSdk),
        row.verdicts.map(formatVerdict).filter(Boolean).join('<br>'),
      ])
    })
  const head = ['scenario', 'Tenon', 'limit', 'ratio', 'by CPU', 'to SDK v2', 'target']
  return table(head, lines)
}

const formatVerdict = ({ target, reached }) => (reached === undefined ? '' : `${target}: ${reached ? 'yes' : '**no**'}`)

/** Absolute figures of all implementations, for rows with peers. */
function peerTables(rows) {
  const names = implementations.map(({ name }) => name)
  const compared = rows.filter(isCompared)
  if (compared.length === 0) return []
  const lines = compared.map((row) =>
    cells([`${row.title}: ${row.row} (${row.unit})`, ...names.map((name) => formatNumber(row.results[name]?.median))]),
  )
  return ['## Side by side', table(['scenario', ...names], lines)]
}

const isCompared = ({ results }) => Object.keys(results).some((name) => name !== 'limit' && name !== 'tenon')

const cells = (values) => `| ${values.join(' | ')} |`
const table = (head, lines) => [cells(head), cells(head.map(() => '---')), ...lines].join('\n')

function writePlots(rows) {
  mkdirSync(plots, { recursive: true })
  const names = [...new Set(rows.map(({ scenario }) => scenario))]
  return names.flatMap((name) => {
    const own = rows.filter((row) => row.scenario === name && isCompared(row))
    if (own.length === 0) return []
    writeFileSync(new URL(`${name}.svg`, plots), plotScenario(own))
    return [`![${own[0].title}](../bench/plots/${name}.svg)`]
  })
}
