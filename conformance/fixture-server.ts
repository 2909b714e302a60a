import { createServer, type Server, type ServerConnection, type ServerOptions } from '@tenon/sdk/server'
import { askingTools } from './fixture/asking-tools.ts'
import { contentTools } from './fixture/content-tools.ts'
import { prompts } from './fixture/prompts.ts'
import { resources } from './fixture/resources.ts'
import { type Stage, workingTools } from './fixture/working-tools.ts'

/** A server for one wire: it may change while serving, so every transcript gets its own. */
export interface Fixture {
  connect(channel: Parameters<Server['connect']>[0]): ServerConnection
}

/**
 * `everything` offers one of each and `empty` offers nothing; `modern-only` speaks only the newest revision, and
 * `legacy-only` only the last one with a handshake.
 */
export type FixtureKind = 'everything' | 'empty' | 'modern-only' | 'legacy-only'

/** Makes the server that the transcripts were recorded with. Its answers depend on the requests only. */
export function createFixture(kind: FixtureKind = 'everything'): Fixture {
  let connection: ServerConnection
  const server: Server = createServer({
    onError: () => {},
    name: 'fixture',
    version: '1.2.3',
    ...(kind === 'empty' ? { logging: false } : everything({ server: () => server, connection: () => connection })),
    ...(kind === 'modern-only' && { revisions: ['2026-07-28'] }),
    ...(kind === 'legacy-only' && { revisions: ['2025-11-25'] }),
  })
  return {
    connect(channel) {
      connection = server.connect(channel)
      return connection
    },
  }
}

const everything = (stage: Stage): Omit<ServerOptions, 'name' | 'version'> => ({
  title: 'The fixture',
  description: 'One of everything',
  websiteUrl: 'https://example.com/fixture',
  icons: [{ src: 'data:image/png;base64,iVBORw0=', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }],
  instructions: 'Ask for one thing at a time.',
  tools: [...contentTools, ...askingTools, ...workingTools(stage)],
  resources,
  prompts,
  capabilities: { experimental: { 'com.example/echo': {} }, extensions: { 'com.example/tables': { rows: 3 } } },
  pageSize: 2,
  limits: { maxBatch: 3, maxSubscriptions: 2 },
  onRootsChanged: async (roots) => {
    await roots()
  },
})
