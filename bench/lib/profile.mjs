// The functions and the files with the most time of their own in the CPU profiles of a scenario.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const shown = 25

export function formatProfiles(folder, scenario) {
  const root = join(folder, scenario)
  if (!existsSync(root)) return ''
  return readdirSync(root)
    .flatMap((implementation) => {
      const profiles = readProfiles(join(root, implementation))
      return [
        `${scenario}, ${implementation}: functions, % of the time that was not idle`,
        ...top(profiles, functionOf),
        `${scenario}, ${implementation}: files`,
        ...top(profiles, fileOf),
      ]
    })
    .join('\n')
}

const readProfiles = (folder) => readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))

function top(profiles, nameOf) {
  const times = new Map()
  for (const profile of profiles) addProfile(times, profile, nameOf)
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  const sorted = [...times].sort(([, a], [, b]) => b - a).slice(0, shown)
  return sorted.map(([name, time]) => `  ${((time / total) * 100).toFixed(1).padStart(5)}  ${name}`)
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
