import type { Revision } from '@tenon/sdk/client'
import { readOperation } from '../calls/read-operation.ts'
import { RequestProblem } from '../problem.ts'
import type { CompareCommands, Operation } from '../protocol.ts'
import { readObject, unexpected } from '../read-params.ts'
import { readRevision } from '../revisions.ts'
import { askThePerson } from '../servers/connect-options.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Workbench } from '../workbench.ts'
import type { Handlers } from './command.ts'
import { serverOf } from './server-commands.ts'

interface Side {
  server: ManagedServer
  revision: Revision | undefined
}

export const compareCommands: Handlers<keyof CompareCommands> = {
  'compare.start': (params, bench) => {
    const operation = readOperation(params.operation)
    const { sides } = params
    if (!Array.isArray(sides) || sides.length !== 2) throw unexpected('sides', 'two sides', sides)
    // Both are read before either is started: a mistake in the second starts nothing.
    const [left, right] = [readSide(sides[0], bench), readSide(sides[1], bench)]
    return { calls: [start(left, operation, bench), start(right, operation, bench)] }
  },
}

function readSide(value: unknown, bench: Workbench): Side {
  const raw = readObject('sides', value)
  const server = serverOf(raw, bench)
  if (!bench.trust.allows(server.spec)) {
    throw new RequestProblem(`Nobody has agreed to start ${server.spec.name}`, 'Connect it first.')
  }
  return { server, revision: raw.revision === undefined ? undefined : readRevision(raw) }
}

/** Opens a connection for one call, and closes it after that. */
function start({ server, revision }: Side, operation: Operation, bench: Workbench): string {
  const opening = server.open({
    ...askThePerson(server.id, bench.questions),
    ...(revision !== undefined && { revisions: [revision] }),
  })
  const close = (): void => {
    void opening.then(
      (client) => client.close(),
      () => {},
    )
  }
  return bench.calls.start(server.id, opening, operation, undefined, close)
}
