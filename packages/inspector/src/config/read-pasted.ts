import { RequestProblem } from '../problem.ts'
import type { FoundServers, ServerSpec } from '../protocol.ts'
import { isObject } from '../read-params.ts'
import { readSpec } from '../servers/read-spec.ts'

/** Reads `{ "mcpServers": { name: entry } }`, `{ "servers": … }`, `{ name: entry }` or one entry alone. */
export function readPasted(text: string): FoundServers {
  const value = parse(text)
  const servers: ServerSpec[] = []
  const problems: string[] = []
  for (const [name, entry] of Object.entries(entriesIn(value))) {
    try {
      servers.push(readEntry(name, entry))
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`)
    }
  }
  return { source: 'Pasted text', servers, problems }
}

function parse(text: string): { [name: string]: unknown } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new RequestProblem(`This is no JSON: ${(error as Error).message}`)
  }
  if (isObject(value)) return value
  throw new RequestProblem('Expected a JSON object')
}

const isEntry = (value: { [name: string]: unknown }): boolean =>
  typeof value.command === 'string' || typeof value.url === 'string'

function entriesIn(value: { [name: string]: unknown }): { [name: string]: unknown } {
  if (isEntry(value)) return { [typeof value.name === 'string' ? value.name : 'server']: value }
  for (const member of [value.mcpServers, value.servers]) if (isObject(member)) return member
  return value
}

function readEntry(name: string, entry: unknown): ServerSpec {
  if (!isObject(entry)) throw new RequestProblem('expected an object')
  return readSpec({ ...entry, name, kind: typeof entry.command === 'string' ? 'command' : 'url' })
}
