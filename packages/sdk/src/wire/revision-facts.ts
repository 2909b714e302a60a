import type { Revision } from '../model/revision.ts'
import { codecFor } from './codecs.ts'

/** How a revision of the protocol works, for applications that show it to people. */
export interface RevisionFacts {
  /** The side that decides whether a tool call becomes a task. Undefined if the revision has no tasks. */
  tasks: 'client' | 'server' | undefined
  /** Whether a client can announce that its roots have changed. */
  rootsListChanged: boolean
  /** Whether each request carries the log level that the client wants; otherwise it is set once for a session. */
  logLevelPerRequest: boolean
}

/** How a revision works. Applications ask this instead of comparing dates. */
export function revisionFacts(revision: Revision): RevisionFacts {
  const { tasks, requests, notifications } = codecFor(revision)
  return {
    // A client that only declares tasks leaves the decision to the server.
    tasks: tasks && (tasks.declared ? 'server' : 'client'),
    rootsListChanged: notifications.client.has('notifications/roots/list_changed'),
    logLevelPerRequest: !requests.client.has('logging/setLevel'),
  }
}
