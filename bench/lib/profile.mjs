// Where the time of a scenario went, by its CPU profiles: kinds of code side by side, then functions and files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { formatNumber } from './rows.mjs'

const shown = 25
/** As V8 names the functions of Node that hand bytes to the system. */
const writes = /^(writev|shutdown|write(Buffer|Utf8String|Latin1String|AsciiString|UcsString))$/

/**
 * @param {object[]} rows of the scenario: with one of them, time per call is known too
 * @param {Map<string, Window[]>} windows the times of the samples of each implementation
 *
 * @typedef {{ from: number, to: number }} Window in microseconds, by the clock of the profiles
 */
export function formatProfiles(folder, scenario, rows, windows) {
  const root = join(folder, scenario)
  if (!existsSync(root)) return ''
  const profiles = readdirSync(root).map((name) => ({
    name,
    profiles: readProfiles(join(root, name)).map((profile) => within(profile, windows.get(name) ?? [])),
  }))
  const cpus = rows.length === 1 ? rows[0].results : {}
  return [
    ...kindTable(scenario, profiles, cpus),
    ...profiles.flatMap(({ name, profiles }) => [
      `${scenario}, ${name}: functions, % of the time that was not idle`,
      ...top(profiles, functionOf),
      `${scenario}, ${name}: files`,
      ...top(profiles, fileOf),
    ]),
  ].join('\n')
}

const readProfiles = (folder) => readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))

/** The part of a profile without start and warm-up; all of it if the clock of this system is another one. */
export function within(profile, windows) {
  const { startTime, samples, timeDeltas } = profile
  let time = startTime
  const kept = timeDeltas.flatMap((delta, i) => {
    time += delta
    return windows.some(({ from, to }) => time >= from && time <= to) ? [i] : []
  })
  if (kept.length === 0) return profile
  return { ...profile, samples: kept.map((i) => samples[i]), timeDeltas: kept.map((i) => timeDeltas[i]) }
}

/** The share of each kind of code, and the microseconds of a call that go there. */
function kindTable(scenario, profiles, cpus) {
  const columns = profiles.map(({ name, profiles }) => ({
    name,
    cpu: cpus[name]?.cpu,
    shares: sharesOf(profiles, kindOf),
  }))
  const kinds = [...new Set(columns.flatMap(({ shares }) => [...shares.keys()]))]
  const largest = (kind) => Math.max(...columns.map(({ shares }) => shares.get(kind) ?? 0))
  const width = Math.max(...kinds.map((kind) => kind.length)) + 2
  const cell = ({ cpu, shares }, kind) => {
    const share = shares.get(kind) ?? 0
    return `${`${(share * 100).toFixed(1)}%`.padStart(8)}${cpu ? `${formatNumber(share * cpu)} µs`.padStart(11) : ''}`
  }
  const title = ({ name, cpu }) => name.padStart(cpu ? 19 : 8)
  return [
    `${scenario}: time that was not idle${columns.some(({ cpu }) => cpu) ? ', and CPU time per call' : ''}`,
    `  ${''.padEnd(width)}${columns.map(title).join('  ')}`,
    ...kinds
      .sort((a, b) => largest(b) - largest(a))
      .map((kind) => `  ${kind.padEnd(width)}${columns.map((column) => cell(column, kind)).join('  ')}`),
  ]
}

/** The kind of code that a frame belongs to: ours by folder, Node's by purpose, others by package. */
export function kindOf({ functionName, url }) {
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'V8 and the system, outside of JavaScript'
  if (url === '') return writes.test(functionName) ? 'writes to sockets and pipes' : 'native functions of V8 and Node'
  if (url.startsWith('node:')) return `Node: ${nodePart(url)}`
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)
  if (found) return found[1]
  const own = /\/(packages|servers)\/([^/]+)\/dist\/(?:modules\/)?(?:(.+)\/)?[^/]+$/.exec(url)
  if (own) return `@tenon/${own[2]}${own[3] ? ` ${own[3].split('/').slice(0, 2).join('/')}` : ''}`
  return 'the adapter of the bench'
}

const nodeParts = [
  ['HTTP', /^(_http|http|internal\/http)/],
  ['sockets and streams', /^(net|stream|_stream|string_decoder|internal\/(streams?|net|js_stream|stream_base))/],
  [
    'turns: ticks, promises, timers',
    /^(timers|internal\/(process\/|timers|async_hooks|promise|linkedlist|priority_queue))/,
  ],
  ['loading modules', /^(internal\/(modules|bootstrap|main|per_context)|fs|path)/],
]

const nodePart = (url) => nodeParts.find(([, pattern]) => pattern.test(url.slice('node:'.length)))?.[0] ?? 'the rest'

function top(profiles, nameOf) {
  const sorted = [...sharesOf(profiles, nameOf)].sort(([, a], [, b]) => b - a).slice(0, shown)
  return sorted.map(([name, share]) => `  ${(share * 100).toFixed(1).padStart(5)}  ${name}`)
}

/** The share of each name in the time that was not idle. */
export function sharesOf(profiles, nameOf) {
  const times = new Map()
  for (const profile of profiles) addProfile(times, profile, nameOf)
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  return new Map([...times].map(([name, time]) => [name, time / total]))
}

function addProfile(times, { nodes, samples, timeDeltas }, nameOf) {
  const names = new Map(
    nodes.map(({ id, callFrame }) => [id, callFrame.functionName === '(idle)' ? undefined : nameOf(callFrame)]),
  )
  samples.forEach((id, i) => {
    const name = names.get(id)
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + timeDeltas[i])
  })
}

function functionOf({ functionName, url, lineNumber }) {
  const name = functionName || '(anonymous)'
  return url === '' ? name : `${name} ${shortUrl(url)}:${lineNumber + 1}`
}

/** The file, or a name for time without one: the collector, native code. */
const fileOf = ({ functionName, url }) =>
  url !== '' ? shortUrl(url) : functionName.startsWith('(') ? functionName : '(native)'

const shortUrl = (url) => (url.startsWith('node:') ? url : basename(url))
