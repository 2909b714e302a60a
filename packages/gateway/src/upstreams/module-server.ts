import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { McpError, type ServerTarget } from '@tenon/sdk/client'
import type { ModuleUpstream } from '../config/model.ts'

/** Loads a module by its URL: with a loader of its own a program can load TypeScript. */
export type ImportModule = (url: string) => Promise<unknown>

export const importModule: ImportModule = (url) => import(url)

interface ModuleContext {
  readonly folder: string
  readonly importModule: ImportModule
}

/** The server that a module exports. */
export async function moduleServer(config: ModuleUpstream, context: ModuleContext): Promise<ServerTarget> {
  const { module: file, export: wanted } = config
  const url = isAbsolute(file) || file.startsWith('.') ? pathToFileURL(resolve(context.folder, file)).href : file
  const exports = (await context.importModule(url)) as Record<string, unknown>
  const names = wanted === undefined ? ['default', 'server'] : [wanted]
  const found = names.map((name) => exports[name]).find(isServer)
  if (found !== undefined) return found
  const known = Object.keys(exports).join(', ') || 'nothing'
  throw new McpError(
    'invalid_definition',
    `${file}: expected a server of createServer as ${names.join(' or ')}, and it exports ${known}`,
  )
}

const isServer = (value: unknown): value is ServerTarget =>
  typeof (value as { connect?: unknown } | undefined)?.connect === 'function'
