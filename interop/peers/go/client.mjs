import { goProgram } from '../../lib/go.mjs'
import { openLineClient } from '../../lib/line-client.mjs'

/** Opens a connection with the client of the Go SDK, in the form that tasks use. */
export const open = (target, answers) => openLineClient(goProgram('client'), [], target, answers)
