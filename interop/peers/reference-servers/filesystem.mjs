import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { program } from '../../lib/servers.mjs'
import { mainOf } from './main-of.mjs'
import { scratchFolder } from './scratch.mjs'

const start = (name) => program({ stdioArgs: ({ folder }) => [mainOf(name), folder], setUp: scratchFolder })

/** Typical work of an agent with files; both versions have these tools. */
const script = (folder) => [
  { name: 'list_directory', arguments: { path: folder }, text: 'motto.txt' },
  { name: 'read_file', arguments: { path: join(folder, 'motto.txt') }, text: 'Measure twice' },
  { name: 'write_file', arguments: { path: join(folder, 'new.txt'), content: 'Grüße 🌍' }, text: 'Successfully wrote' },
  { name: 'read_file', arguments: { path: join(folder, 'new.txt') }, text: 'Grüße 🌍' },
  { name: 'search_files', arguments: { path: folder, pattern: 'motto.txt' }, text: 'motto.txt' },
  { name: 'read_file', arguments: { path: '/etc/hostname' }, text: 'Access denied', fails: true },
]

const shared = (folder) => ({
  server: 'secure-filesystem-server',
  tools: ['read_file', 'write_file', 'list_directory', 'search_files', 'list_allowed_directories'],
  script: script(folder),
  toolError: { name: 'read_file', arguments: { path: '/etc/hostname' }, text: 'Access denied' },
  badArguments: { name: 'read_file', arguments: { path: 7 } },
})

export const filesystem = {
  name: 'server-filesystem',
  title: 'server-filesystem',
  packages: ['server-filesystem'],
  server: {
    start: start('server-filesystem'),
    transports: ['stdio'],
    work: ({ folder = '' }) => ({
      ...shared(folder),
      structured: {
        name: 'read_text_file',
        arguments: { path: join(folder, 'motto.txt') },
        content: { content: 'Measure twice\n' },
      },
      roots: {
        name: 'list_allowed_directories',
        uri: pathToFileURL(join(folder, 'project')).href,
        text: join(folder, 'project'),
        eventually: true,
      },
    }),
  },
}

/** Its version of November 2024, on version 0.5.0 of the official SDK. */
export const filesystem2024 = {
  name: 'server-filesystem-2024',
  title: 'server-filesystem',
  packages: ['server-filesystem-2024'],
  server: { start: start('server-filesystem-2024'), transports: ['stdio'], work: ({ folder = '' }) => shared(folder) },
}
