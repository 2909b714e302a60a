import type { JSX } from 'react'
import type { Problem, ServerView } from '../../src/protocol.ts'
import { AuthorizationTab } from '../authorization/authorization-tab.tsx'
import { Empty } from '../parts/empty.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { goTo, hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { Diagnosis } from './diagnosis.tsx'
import { LogConsole } from './log-console.tsx'
import { RecordedSettings } from './recorded-settings.tsx'
import { RootsEditor } from './roots-editor.tsx'
import { ServerHead } from './server-head.tsx'
import { ServerOverview } from './server-overview.tsx'
import { ServerSettings } from './server-settings.tsx'
import { StderrConsole } from './stderr-console.tsx'

type Part = 'overview' | 'authorization' | 'diagnosis' | 'stderr' | 'log' | 'roots' | 'settings'

/** Everything about one server. */
export function ServerPage({ id, part }: { id: string; part: string | undefined }): JSX.Element {
  const server = useBench((bench) => bench.servers.find((known) => known.id === id))
  if (server === undefined) {
    return (
      <Empty alone title="There is no such server">
        <p>It may have been removed.</p>
        <a className="button primary" href={hrefTo('add')}>
          Add a server
        </a>
      </Empty>
    )
  }
  const tabs: Tab<Part>[] = [
    { name: 'overview', label: 'Overview' },
    ...(isSignedInTo(server) ? [{ name: 'authorization' as const, label: 'Authorization' }] : []),
    { name: 'diagnosis', label: 'Diagnosis' },
    ...(server.spec.kind === 'command' ? [{ name: 'stderr' as const, label: 'Output' }] : []),
    { name: 'log', label: 'Log' },
    ...(server.spec.kind === 'session' ? [] : [{ name: 'roots' as const, label: 'Roots' }]),
    { name: 'settings', label: 'Settings' },
  ]
  const chosen = tabs.find(({ name }) => name === part)?.name ?? 'overview'
  return (
    <div className="column stack wide">
      <ServerHead server={server} />
      <Tabs label="About this server" tabs={tabs} chosen={chosen} choose={(name) => goTo('servers', id, name)}>
        <div className="tab-body stack">
          {server.problem !== undefined && <ServerProblem server={server} problem={server.problem} part={chosen} />}
          {chosen === 'overview' && <ServerOverview server={server} />}
          {chosen === 'authorization' && <AuthorizationTab key={server.id} server={server} />}
          {chosen === 'diagnosis' && <Diagnosis server={server} />}
          {chosen === 'stderr' && <StderrConsole server={server.id} />}
          {chosen === 'log' && <LogConsole key={server.id} server={server} />}
          {chosen === 'roots' && <RootsEditor key={server.id} server={server} />}
          {chosen === 'settings' &&
            (server.spec.kind === 'session' ? (
              <RecordedSettings server={server.id} spec={server.spec} />
            ) : (
              <ServerSettings key={server.id} server={server} spec={server.spec} />
            ))}
        </div>
      </Tabs>
    </div>
  )
}

/** Why there is no connection. A failed authorization is shown step by step. */
function ServerProblem(props: { server: ServerView; problem: Problem; part: Part }): JSX.Element | null {
  const { server, problem, part } = props
  const isTold = problem.kind === 'unauthorized' && isSignedInTo(server)
  if (isTold && part === 'authorization') return null
  return (
    <>
      <ProblemNotice problem={problem} />
      {isTold && <a href={hrefTo('servers', server.id, 'authorization')}>See where it failed, step by step</a>}
    </>
  )
}

/** Whether the workbench finds the credentials for a server, as it does unless a header brings them. */
function isSignedInTo({ spec }: ServerView): boolean {
  if (spec.kind !== 'url' || spec.oauth === false || !spec.url.startsWith('http')) return false
  return spec.oauth !== undefined || !Object.keys(spec.headers ?? {}).some((name) => /^authorization$/i.test(name))
}
