import type { JSX } from 'react'
import type { Call } from '../../src/protocol.ts'
import { LogConsole } from '../servers/log-console.tsx'
import { StderrConsole } from '../servers/stderr-console.tsx'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { MessageList } from './message-list.tsx'
import type { Scope } from './scope.tsx'

/** The last messages of the scope, as they come. */
export function PanelMessages({ scope: { server, call } }: { scope: Scope }): JSX.Element {
  const name = useBench(({ servers }) => servers.find(({ id }) => id === server)?.spec.name)
  if (call !== undefined) {
    return call.sent === undefined ? (
      <Nothing>Nothing was sent yet.</Nothing>
    ) : (
      <MessageList query={`of:${call.sent.first}`} />
    )
  }
  if (server === undefined || name === undefined) return <MessageList query="" />
  // Names of servers contain each other: the list takes only the rows of this one.
  return <MessageList query={`server:"${name.replaceAll('"', '')}"`} server={server} />
}

export function PanelLog({ scope }: { scope: Scope }): JSX.Element {
  const server = useBench(({ servers }) => servers.find(({ id }) => id === scope.server))
  if (server === undefined) return <NoServer />
  return <LogConsole key={server.id} server={server} during={duringOf(scope.call)} />
}

export function PanelOutput({ scope }: { scope: Scope }): JSX.Element {
  const server = useBench(({ servers }) => servers.find(({ id }) => id === scope.server))
  if (server === undefined) return <NoServer />
  if (server.spec.kind !== 'command') {
    return <Nothing>Only a server that the workbench starts as a process has an output (stderr).</Nothing>
  }
  return <StderrConsole key={server.id} server={server.id} during={duringOf(scope.call)} />
}

/** Lines do not name their call: those from its beginning to its end are shown. */
function duringOf(call: Call | undefined): { from: number; to: number } | undefined {
  if (call === undefined) return undefined
  const { startedAt, outcome } = call
  return { from: startedAt, to: outcome === undefined ? Number.POSITIVE_INFINITY : startedAt + outcome.durationMs }
}

function Nothing({ children }: { children: string }): JSX.Element {
  return <p className="muted pane-note">{children}</p>
}

function NoServer(): JSX.Element {
  return (
    <p className="muted pane-note">
      No server yet. <a href={hrefTo('add')}>Add one</a>
    </p>
  )
}
