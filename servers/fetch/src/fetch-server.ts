import type { Server } from '@tenon/sdk/server'
import { createReferenceServer, fixedSettings } from '@tenon/server-kit'
import { downloaderSettings, type FetchServerOptions } from './fetch-settings.ts'
import { icon } from './icon.ts'
import { Downloader } from './network/downloader.ts'
import { PageReader } from './page/page-reader.ts'
import { fetchPrompt } from './prompts.ts'
import { fetchTool } from './tools/fetch.ts'
import { findTool } from './tools/find.ts'
import { imagesTool } from './tools/images.ts'
import { linksTool } from './tools/links.ts'
import { metadataTool } from './tools/metadata.ts'
import { tablesTool } from './tools/tables.ts'
import { version } from './version.ts'
import { Web } from './web.ts'

export type { FetchServerOptions, FetchSettings } from './fetch-settings.ts'

/** A server that reads the web; one definition for any number of clients, which share its cache. */
export function createFetchServer(options: FetchServerOptions = {}): Server {
  const { resolve, settings = fixedSettings({ readOnly: false, confirm: false, ...options }) } = options
  let rules = downloaderSettings(settings.current, resolve)
  const downloader = new Downloader(() => rules)
  settings.onChange((current) => {
    rules = downloaderSettings(current, resolve)
    // A page that was allowed before may not be now.
    downloader.clear()
  })
  const web = new Web(
    downloader,
    new PageReader({ timeMs: () => settings.current.readTimeout ?? 5_000 }),
    () => settings.current,
  )
  return createReferenceServer(
    {
      name: 'fetch',
      version,
      title: 'Fetch',
      description: 'Web pages as Markdown, with their links, tables and images',
      icons: [icon],
      instructions:
        'Reads public web pages. Long ones come in parts: call fetch again with the start_index that it names. find_in_page finds the part.',
      tools: [fetchTool(web), linksTool(web), metadataTool(web), tablesTool(web), imagesTool(web), findTool(web)],
      prompts: [fetchPrompt(web)],
    },
    settings,
  )
}
