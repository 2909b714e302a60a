import type { JsonObject } from '@tenon/sdk/client'
import { type ActiveCall, callOptions, sessionCall, statelessCall } from '../calls/active-call.ts'
import { answersRequests, inputMethods } from '../calls/input-capabilities.ts'
import { forwardedParams, paramsWithoutTask } from '../calls/params.ts'
import type { AdaptedTask } from '../tasks/adapted-tasks.ts'
import { withoutTasks } from '../tasks/capability.ts'
import { callWithTaskRetry } from '../tasks/task-calls.ts'
import type { Notify, ServerKind, StatelessRequest } from './server-kind.ts'

/** A server that opens with a handshake, and sends requests of its own. */
export const sessionServer: ServerKind = {
  describesClientOnce: true,

  sendsRequests: (method, capabilities) => inputMethods.has(method) && answersRequests(capabilities),

  // Revisions with sessions share one form of tasks, and the codec of an older one leaves them out.
  capabilitiesForSessions: (capabilities) => capabilities,

  // The bridge adapts tasks that the server creates; the client's own form of tasks means nothing to the server.
  capabilitiesOfStateless: withoutTasks,

  // All lists: also those of a server that was started again may have changed.
  changingLists: (capabilities, kinds) => kinds.filter((kind) => capabilities[kind]),

  callForSession(connection, request, sender) {
    const call = sessionCall(request)
    const options = callOptions(request, sender, call)
    return callWithTaskRetry(connection, call, request.method, forwardedParams(request), options)
  },

  async callForStateless(outgoing) {
    const { request, connection, sender, owner, suspended, tasks, release } = outgoing
    const done = (result: JsonObject | undefined): void => {
      // An adapted task keeps the connection until it ends.
      if (!tasks.adopt(result, owner, connection, release)) release()
    }
    if (sessionServer.sendsRequests(request.method, sender.capabilities)) {
      return suspended.start(request, { connection, sender, done }).next(request)
    }
    let result: JsonObject | undefined
    try {
      result = await callDirectly(outgoing, statelessCall(request))
      return result
    } finally {
      done(result)
    }
  },

  async watchTask(_connection, taskId, adapted, notify) {
    if (adapted === undefined) throw new Error(`The task ${taskId} is not known here`)
    return adapted.onChange(() => void notifyOf(adapted, notify))
  },
}

const callDirectly = ({ connection, request, sender }: StatelessRequest, call: ActiveCall): Promise<JsonObject> =>
  callWithTaskRetry(connection, call, request.method, paramsWithoutTask(request), callOptions(request, sender, call))

async function notifyOf(task: AdaptedTask, notify: Notify): Promise<void> {
  const snapshot = await task.snapshot().catch(() => undefined)
  if (snapshot !== undefined) notify('notifications/tasks', snapshot)
}
