import { fileURLToPath } from 'node:url'

const tenon = fileURLToPath(new URL('../../../packages/cli/bin/tenon.js', import.meta.url))

export const listCommand = (server) => [tenon, 'list', '--', process.execPath, server]
