import { fileURLToPath } from 'node:url'
import type { ProcessTarget } from '@tenon/sdk/client'

const bin = new URL('../bin/everything.js', import.meta.resolve('@tenon/server-everything'))

/** The everything server, to be started as a process. */
export const everything: ProcessTarget = { command: process.execPath, args: [fileURLToPath(bin)] }
