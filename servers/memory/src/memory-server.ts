import type { Server, ServerOptions } from '@tenon/sdk/server'
import { createReferenceServer, fixedSettings, type LiveSettings } from '@tenon/server-kit'
import { defaultMemoryFile } from './data-folder.ts'
import { icon } from './icon.ts'
import { Namespaces } from './namespaces.ts'
import { memoryPrompts } from './prompts.ts'
import { entityUriOf, graphUriOf, memoryResources } from './resources.ts'
import { createTools } from './tools/create.ts'
import { deleteTools } from './tools/delete.ts'
import { exchangeTools } from './tools/exchange.ts'
import { historyTools } from './tools/history.ts'
import { readTools } from './tools/read.ts'
import type { Memory } from './tools/tool-context.ts'
import { version } from './version.ts'

/** The settings of the operator. */
export interface MemorySettings {
  readonly file?: string | undefined
  /** Characters of all entities and relations of a namespace. */
  readonly maxSize: number
  /** Bytes of one answer. */
  readonly maxResult: number
  /** Bytes of the changes that can be listed and undone. */
  readonly historySize: number
  /** When the disk has a change: before it is acknowledged, or within a second. */
  readonly sync: 'always' | 'later'
  readonly readOnly: boolean
  readonly confirm: boolean
}

export const defaultSettings: MemorySettings = {
  maxSize: 200_000_000,
  maxResult: 1_000_000,
  historySize: 16_000_000,
  sync: 'always',
  readOnly: false,
  confirm: false,
}

export interface MemoryServerOptions extends Partial<MemorySettings>, Pick<ServerOptions, 'revisions' | 'onError'> {
  /** Settings that may change while the server runs; they come before the others. */
  readonly settings?: LiveSettings<MemorySettings>
  /** Tells the operator: unreadable lines, a full disk. Standard error unless given. */
  readonly report?: (message: string) => void
}

/** A server and the files behind it. */
export interface MemoryServer {
  readonly server: Server
  /** The memory file of the default namespace. */
  readonly file: string
  /** Completes the memory files. */
  close(): Promise<void>
}

const instructions =
  'A memory that outlasts conversations: entities with observations, and relations between them. Look with search_nodes ' +
  'before you answer questions about people, projects or preferences; keep lasting facts with create_entities, ' +
  'add_observations and create_relations, one short fact per observation.'

/** Makes a server on a memory file. */
export function createMemoryServer(options: MemoryServerOptions = {}): MemoryServer {
  const { settings: live, report = toStandardError, revisions, onError, ...given } = options
  const settings = live ?? fixedSettings<MemorySettings>({ ...defaultSettings, ...given })
  const file = settings.current.file ?? defaultMemoryFile()
  const namespaces = new Namespaces(
    file,
    {
      limits: () => ({ maxSize: settings.current.maxSize, maxHistoryBytes: settings.current.historySize }),
      isReadOnly: () => settings.current.readOnly,
      isSynced: () => settings.current.sync === 'always',
      report,
    },
    (namespace, names) => {
      server.resources.changed(graphUriOf(namespace))
      if (names !== 'all') for (const name of names) server.resources.changed(entityUriOf(namespace, name))
    },
  )
  const memory: Memory = { namespaces, maxResultBytes: () => settings.current.maxResult }
  const server = createReferenceServer(
    {
      name: 'memory',
      version,
      title: 'Memory',
      description: 'A knowledge graph that outlasts conversations',
      icons: [icon],
      instructions,
      tools: [
        ...createTools(memory),
        ...deleteTools(memory),
        ...readTools(memory),
        ...historyTools(memory),
        ...exchangeTools(memory),
      ],
      resources: memoryResources(memory),
      prompts: memoryPrompts(memory),
      ...(revisions && { revisions }),
      ...(onError && { onError }),
    },
    settings,
  )
  return { server, file, close: () => namespaces.close() }
}

const toStandardError = (message: string): void => void process.stderr.write(`memory: ${message}\n`)
