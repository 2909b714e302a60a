import { fileURLToPath } from 'node:url'

const mcporter = fileURLToPath(new URL('../node_modules/mcporter/dist/cli.js', import.meta.url))

export const listCommand = (server) => [mcporter, 'list', '--stdio', `${process.execPath} ${server}`]
