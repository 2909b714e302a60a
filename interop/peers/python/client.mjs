import { fileURLToPath } from 'node:url'
import { openLineClient } from '../../lib/line-client.mjs'

/** Opens a connection with a client of the Python SDK, in the form that tasks use. */
export const open = (target, answers, { python, script }) =>
  openLineClient(python, [fileURLToPath(new URL(script, import.meta.url))], target, answers)
