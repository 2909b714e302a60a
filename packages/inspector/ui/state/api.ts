import { writeExact } from '../../src/exact-json.ts'
import type { CommandName, Params, Problem, Reply, Result } from '../../src/protocol.ts'
import { keyHeader } from './key.ts'

/** A command that was answered with a problem, or could not be sent. */
class CommandError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'CommandError'
    this.problem = problem
  }
}

/** Sends a command to the backend. */
export async function run<Name extends CommandName>(name: Name, params: Params<Name>): Promise<Result<Name>> {
  const reply = await send(name, params)
  if ('result' in reply) return reply.result
  throw new CommandError(reply.problem)
}

async function send<Name extends CommandName>(name: Name, params: Params<Name>): Promise<Reply<Name>> {
  // Throws if a part of the command is a text that is no value.
  const body = writeExact(params)
  try {
    const response = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...keyHeader },
      body,
    })
    if (response.headers.get('content-type')?.startsWith('application/json')) return await response.json()
    return { problem: { kind: 'transport', message: await response.text() } }
  } catch {
    return { problem: { kind: 'transport', message: 'The workbench does not answer', hint: 'Is it still running?' } }
  }
}

/** An error, in words for a person. */
export const problemOf = (thrown: unknown): Problem =>
  thrown instanceof CommandError ? thrown.problem : { kind: 'request', message: String((thrown as Error).message) }
