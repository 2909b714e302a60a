import type { Readable } from 'node:stream'
import { commands } from '../commands/commands.ts'
import { readExact } from '../exact-json.ts'
import { RequestProblem, toProblem } from '../problem.ts'
import type { Reply } from '../protocol.ts'
import { readObject } from '../read-params.ts'
import type { Workbench } from '../workbench.ts'
import { readBody } from './read-body.ts'

const maxBodyBytes = 16 * 1024 * 1024

/** An answer to a command. */
interface ApiAnswer {
  status: number
  reply: Reply
}

/** Runs a command of the page. */
export async function runCommand(name: string, request: Readable, bench: Workbench): Promise<ApiAnswer> {
  const handler = commands.get(name)
  if (handler === undefined) return refused(404, `There is no command ${JSON.stringify(name)}`)
  const body = await readBody(request, maxBodyBytes)
  if (body === undefined) return refused(413, `A command takes at most ${maxBodyBytes} bytes`)
  try {
    return { status: 200, reply: { result: await handler(readObject('parameters', parse(body)), bench) } }
  } catch (error) {
    return { status: 422, reply: { problem: toProblem(error) } }
  }
}

const refused = (status: number, message: string): ApiAnswer => ({
  status,
  reply: { problem: { kind: 'request', message } },
})

function parse(text: string): unknown {
  try {
    return readExact(text)
  } catch {
    throw new RequestProblem('The parameters are no JSON')
  }
}
