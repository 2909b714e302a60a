import type { Database } from './database.ts'

export const infoSections = [
  'server',
  'clients',
  'memory',
  'persistence',
  'stats',
  'replication',
  'cpu',
  'keyspace',
] as const

/** Paths on the machine of Redis concern nobody here. */
const leftOut: ReadonlySet<string> = new Set(['executable', 'config_file', 'monotonic_clock', 'redis_build_id'])

export type ServerInfo = { [section: string]: { [name: string]: string } }

/** What Redis tells about itself, by section. */
export async function readServerInfo(
  database: Database,
  sections: readonly (typeof infoSections)[number][],
): Promise<ServerInfo> {
  const found = new Map<string, [string, string][]>()
  for (const section of sections) {
    const text = String(await database.send('INFO', section))
    const pairs = text.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(':')
      return line.startsWith('#') || at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as [string, string]]
    })
    found.set(
      section,
      pairs.filter(([name]) => !leftOut.has(name)),
    )
  }
  return Object.fromEntries([...found].map(([section, pairs]) => [section, Object.fromEntries(pairs)]))
}

export const infoText = (info: ServerInfo): string =>
  Object.entries(info)
    .map(([section, values]) =>
      [`# ${section}`, ...Object.entries(values).map(([name, value]) => `${name}: ${value}`)].join('\n'),
    )
    .join('\n\n')
