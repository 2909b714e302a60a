/** A reference server of Tenon. */
export interface ReferenceServer {
  readonly name: string
  /** The package that has its program. */
  readonly package: string
  /** Completes "a server for". */
  readonly summary: string
  /** The argument without which it cannot start: the name of it for a form, and an example. */
  readonly argument?: { readonly label: string; readonly example: string }
}

const server = (name: string, summary: string, argument?: ReferenceServer['argument']): ReferenceServer => ({
  name,
  package: `@tenon/server-${name}`,
  summary,
  ...(argument && { argument }),
})

/** The reference servers, in the order of their page. */
export const referenceServers: readonly ReferenceServer[] = [
  server('everything', 'every feature of the protocol, to try a client with'),
  server('filesystem', 'files in the folders that you name', { label: 'Folder', example: '/home/ada/notes' }),
  server('fetch', 'web pages as Markdown'),
  server('browser', 'web pages in a browser: clicks, forms, screenshots'),
  server('git', 'repositories: history, differences, commits', { label: 'Repository', example: '/home/ada/project' }),
  server('memory', 'a knowledge graph that lasts'),
  server('postgres', 'a PostgreSQL database, in a folder or on a server'),
  server('redis', 'keys and values of a Redis'),
  server('sequential-thinking', 'thoughts step by step, with branches'),
  server('sqlite', 'an SQLite database', { label: 'Database', example: '/home/ada/shop.db' }),
  server('time', 'time zones, differences, recurring dates'),
]
