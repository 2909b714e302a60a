import type { Authorization } from '../authorization/authorization.ts'
import { RequestProblem } from '../problem.ts'
import type { AuthorizationCommands } from '../protocol.ts'
import type { RawParams } from '../read-params.ts'
import type { Workbench } from '../workbench.ts'
import type { Handlers } from './command.ts'
import { serverOf } from './server-commands.ts'

export const authorizationCommands: Handlers<keyof AuthorizationCommands> = {
  'authorization.look': async (params, bench) => {
    await authorizationOf(params, bench).look()
    return {}
  },
  'authorization.halt': (params, bench) => {
    authorizationOf(params, bench).halt(params.halting === true)
    return {}
  },
  'authorization.next': (params, bench) => {
    authorizationOf(params, bench).next()
    return {}
  },
  'authorization.startOver': async (params, bench) => {
    authorizationOf(params, bench)
    await serverOf(params, bench).startOver()
    return {}
  },
}

function authorizationOf(params: RawParams, bench: Workbench): Authorization {
  const { authorization, spec } = serverOf(params, bench)
  if (authorization !== undefined) return authorization
  throw new RequestProblem(
    `${spec.name} is not signed in to`,
    'Only servers at a URL without a header Authorization are.',
  )
}
