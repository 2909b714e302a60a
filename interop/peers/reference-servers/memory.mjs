import { join } from 'node:path'
import { program } from '../../lib/servers.mjs'
import { mainOf } from './main-of.mjs'
import { scratchFolder } from './scratch.mjs'

const ada = { name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }
const link = { from: 'Ada', to: 'Engine', relationType: 'programs' }
const engine = { name: 'Engine', entityType: 'machine', observations: ['was never finished'] }

const work = {
  server: 'memory-server',
  tools: ['create_entities', 'create_relations', 'add_observations', 'read_graph', 'search_nodes', 'open_nodes'],
  script: [
    { name: 'create_entities', arguments: { entities: [ada, engine] } },
    { name: 'create_relations', arguments: { relations: [link] } },
    { name: 'add_observations', arguments: { observations: [{ entityName: 'Ada', contents: ['liked Grüße 🌍'] }] } },
    { name: 'search_nodes', arguments: { query: 'first program' }, text: 'Ada' },
    { name: 'open_nodes', arguments: { names: ['Ada'] }, text: 'Grüße 🌍' },
    { name: 'read_graph', arguments: {}, text: 'programs' },
    { name: 'delete_entities', arguments: { entityNames: ['Ada', 'Engine'] }, text: 'deleted successfully' },
  ],
}

export const memory = {
  name: 'server-memory',
  title: 'server-memory',
  packages: ['server-memory'],
  server: {
    start: program({
      stdioArgs: () => [mainOf('server-memory')],
      setUp: () => {
        const scratch = scratchFolder()
        return { ...scratch, env: { MEMORY_FILE_PATH: join(scratch.folder, 'memory.json') } }
      },
    }),
    transports: ['stdio'],
    work: { ...work, structured: { name: 'read_graph', arguments: {}, content: { entities: [], relations: [] } } },
  },
}

/** Its version of December 2024: it keeps its file beside itself. */
export const memory2024 = {
  name: 'server-memory-2024',
  title: 'server-memory',
  packages: ['server-memory-2024'],
  server: {
    start: program({ stdioArgs: () => [mainOf('server-memory-2024')] }),
    transports: ['stdio'],
    work,
  },
}
