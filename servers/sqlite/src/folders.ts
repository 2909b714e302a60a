import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RequestContext, ToolError } from '@tenon/sdk/server'
import type { AllowedFile } from './engine/protocol.ts'
import type { SqliteSettings } from './sqlite-settings.ts'

/** A file that a client named, with the folders in which it has to lie. */
export async function allowedFile(given: string, settings: SqliteSettings, ctx: RequestContext): Promise<AllowedFile> {
  const named = settings.folder.length > 0 ? settings.folder : await rootsOf(ctx)
  const real = await Promise.all(named.map((folder) => realpath(folder).catch(() => [])))
  const folders = real.flat()
  if (folders.length === 0) {
    throw new ToolError(
      'No folder is allowed for files. Pass the text itself, or ask the operator to start this server with --folder FOLDER.',
    )
  }
  return { path: located(given, folders[0]!), folders, maxBytes: settings.maxFile }
}

/** A relative path is in the first folder. */
function located(given: string, folder: string): string {
  if (given.startsWith('~/')) return join(homedir(), given.slice(2))
  return isAbsolute(given) ? resolve(given) : resolve(folder, given)
}

async function rootsOf(ctx: RequestContext): Promise<string[]> {
  if (ctx.caller.capabilities.roots === undefined) return []
  const roots = await ctx.roots()
  return roots.flatMap(({ uri }) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []))
}
