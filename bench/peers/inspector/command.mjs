import { fileURLToPath } from 'node:url'

const launcher = '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const inspector = fileURLToPath(new URL(launcher, import.meta.url))

export const listCommand = (server) => [inspector, '--cli', process.execPath, server, '--method', 'tools/list']
