import { callInRounds, callOneRound } from '../calls/input-rounds.ts'
import { withoutTasks } from '../tasks/capability.ts'
import type { ServerKind } from './server-kind.ts'

/** A server without sessions: every request describes its client, and a result may require input. */
export const statelessServer: ServerKind = {
  describesClientOnce: false,

  sendsRequests: () => false,

  // A stateless server decides which calls become tasks, and does not mark them in the list of tools. Clients with a
  // session need that mark, so they get results instead.
  capabilitiesForSessions: withoutTasks,

  capabilitiesOfStateless: (capabilities) => capabilities,

  changingLists: (capabilities, kinds) => kinds.filter((kind) => capabilities[kind]?.listChanged),

  callForSession: callInRounds,

  async callForStateless({ connection, request, sender, release }) {
    try {
      return await callOneRound(connection, request, sender)
    } finally {
      release()
    }
  },

  async watchTask(connection, taskId, _adapted, notify) {
    const stopNotifications = connection.onTaskNotification(
      (method, task) => task.taskId === taskId && notify(method, task),
    )
    const stopWatch = await connection.client.watchTask(taskId).catch((error: unknown) => {
      stopNotifications()
      throw error
    })
    return () => {
      stopNotifications()
      stopWatch()
    }
  },
}
