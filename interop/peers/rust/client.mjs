import { openLineClient } from '../../lib/line-client.mjs'
import { rustProgram } from '../../lib/rust.mjs'

/** Opens a connection with the client of rmcp, in the form that tasks use. */
export const open = (target, answers) => openLineClient(rustProgram('client'), [], target, answers)
