// Runs a server adapter in a process of its own: `node host.mjs <adapter> <settings as JSON>`.
import { pathToFileURL } from 'node:url'
import { reportUsage } from './report-usage.mjs'

const [, , adapter, settings] = process.argv
const { start } = await import(pathToFileURL(adapter).href)
const started = await start(JSON.parse(settings))
reportUsage()
// The workers of a cluster run this file too, without an IPC channel.
process.send?.({ started })
