import { RequestProblem } from '../problem.ts'
import type { FoundServers } from '../protocol.ts'
import { readPasted } from './read-pasted.ts'

/** Where servers can be found besides what the person writes: config files of other hosts, and pasted text. */
export interface ConfigSource {
  find(): Promise<FoundServers[]>
  parse(text: string): FoundServers
}

/** Reads the widely used `mcpServers` form; files of other hosts are not looked for. */
export const plainConfig: ConfigSource = {
  find: () => Promise.resolve([]),
  parse: (text) => {
    const found = readPasted(text)
    if (found.servers.length > 0 || found.problems.length > 0) return found
    throw new RequestProblem('No server was found in this text', 'Paste an object with the member mcpServers.')
  },
}
