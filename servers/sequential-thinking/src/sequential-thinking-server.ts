import type { Server, ServerOptions } from '@tenon/sdk/server'
import { createReferenceServer, fixedSettings, type LiveSettings } from '@tenon/server-kit'
import { Chains } from './chains.ts'
import { icon } from './icon.ts'
import { chainUri, thinkingResources, treeUri } from './resources.ts'
import { thoughtLine } from './thought-log.ts'
import { thinkingTools } from './tools.ts'
import { treeView } from './tree-view.ts'
import { version } from './version.ts'

/** The settings of the operator. */
export interface ThinkingSettings {
  /** Thoughts are not written to standard error. */
  readonly disableThoughtLogging: boolean
  /** Thoughts of one chain. */
  readonly maxThoughts: number
  /** Bytes of one chain. */
  readonly maxChainSize: number
  /** Bytes of all chains together. */
  readonly maxTotalSize: number
  /** Chains of one principal, or of all clients without one. */
  readonly maxChains: number
  readonly readOnly: boolean
  readonly confirm: boolean
}

export const defaultSettings: ThinkingSettings = {
  disableThoughtLogging: false,
  maxThoughts: 1_000,
  maxChainSize: 2_000_000,
  maxTotalSize: 64_000_000,
  maxChains: 200,
  readOnly: false,
  confirm: false,
}

export interface ThinkingServerOptions extends Partial<ThinkingSettings>, Pick<ServerOptions, 'revisions' | 'onError'> {
  /** Settings that may change while the server runs; they come before the others. */
  readonly settings?: LiveSettings<ThinkingSettings>
  /** Gets each thought as a line; standard error unless given. */
  readonly log?: (line: string) => void
}

/** Makes a server that keeps thoughts for its clients, for each its own. */
export function createSequentialThinkingServer(options: ThinkingServerOptions = {}): Server {
  const { settings: live, log = toStandardError, revisions, onError, ...given } = options
  const settings = live ?? fixedSettings<ThinkingSettings>({ ...defaultSettings, ...given })
  const chains = new Chains(() => {
    const { maxThoughts, maxChainSize, maxTotalSize, maxChains } = settings.current
    return { maxThoughts, maxChainBytes: maxChainSize, maxTotalBytes: maxTotalSize, maxChains }
  })
  const server: Server = createReferenceServer(
    {
      name: 'sequential-thinking',
      version,
      title: 'Sequential thinking',
      description: 'Thinking in steps, with revisions and branches that can be read again',
      icons: [icon],
      tools: thinkingTools({
        chains,
        added: (chain, thought) => {
          if (!settings.current.disableThoughtLogging) log(thoughtLine(chain.id, thought))
          server.resources.changed(chainUri(chain))
          server.resources.changed(treeUri(chain))
        },
      }),
      resources: [...thinkingResources(chains), treeView],
      ...(revisions && { revisions }),
      ...(onError && { onError }),
    },
    settings,
  )
  return server
}

const toStandardError = (line: string): void => void process.stderr.write(line)
