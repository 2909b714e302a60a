import { isForApp } from '@tenon/sdk/apps/host'
import { readOperation } from '../calls/read-operation.ts'
import { sandboxAddress, viewParameter } from '../page/sandbox-listener.ts'
import { RequestProblem } from '../problem.ts'
import type { AppCommands, Operation } from '../protocol.ts'
import { readTextIfAny } from '../read-params.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Handlers } from './command.ts'
import { serverOf } from './server-commands.ts'

export const appCommands: Handlers<keyof AppCommands> = {
  'app.sandbox': (params, { sandboxPort, violations }) => {
    if (sandboxPort === undefined) throw new RequestProblem('This workbench shows no views')
    const address = sandboxAddress(sandboxPort, readTextIfAny(params, 'pageHost') ?? '127.0.0.1')
    const view = violations.newView()
    return { url: `${address}?${viewParameter}=${view}`, view }
  },
  'app.call': (params, bench) => {
    const server = serverOf(params, bench)
    const operation = readOperation(params.operation)
    refuseForView(operation, server)
    return { call: bench.calls.start(server.id, server.client, operation) }
  },
}

/** The page asks first as well; a mistake there gives a view nothing that it may not have. */
function refuseForView(operation: Operation, { catalogs }: ManagedServer): void {
  if (operation.method === 'resources/read') return
  if (operation.method !== 'tools/call') throw new RequestProblem(`Views cannot use ${operation.method}`)
  const tool = catalogs.known.tools?.items.find(({ name }) => name === operation.name)
  // A tool that is hidden and one that does not exist look the same.
  if (tool === undefined || !isForApp(tool)) {
    throw new RequestProblem(`There is no tool ${JSON.stringify(operation.name)} for views`)
  }
}
