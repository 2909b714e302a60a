// Where the time goes: the functions with the most time of their own in the CPU profiles of a scenario.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const shown = 25

export function formatProfiles(folder, scenario) {
  const parts = []
  const root = join(folder, scenario)
  if (!existsSync(root)) return ''
  for (const implementation of readdirSync(root)) {
    parts.push(`${scenario}, ${implementation}: time by function (% of what was not idle)`)
    for (const [name, share] of topFunctions(join(root, implementation)))
      parts.push(`  ${share.toFixed(1).padStart(5)}  ${name}`)
  }
  return parts.join('\n')
}

function topFunctions(folder) {
  const times = new Map()
  for (const file of readdirSync(folder)) addProfile(times, JSON.parse(readFileSync(join(folder, file), 'utf8')))
  times.delete('(idle)')
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  const sorted = [...times].sort(([, a], [, b]) => b - a).slice(0, shown)
  return sorted.map(([name, time]) => [name, (time / total) * 100])
}

function addProfile(times, { nodes, samples, timeDeltas }) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  samples.forEach((id, i) => {
    const name = names.get(id)
    times.set(name, (times.get(name) ?? 0) + timeDeltas[i])
  })
}

function nameOf({ functionName, url, lineNumber }) {
  if (url === '') return functionName || '(anonymous)'
  const file = url.startsWith('node:') ? url : basename(url)
  return `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
}
