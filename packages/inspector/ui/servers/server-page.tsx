import { type JSX, useEffect, useState } from 'react'
import type { Problem, ServerView } from '../../src/protocol.ts'
import { AuthorizationTab } from '../authorization/authorization-tab.tsx'
import { duration } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { MarkdownView } from '../content/markdown-view.tsx'
import { visible, visibleLine } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { RecordButton } from '../sessions/record-button.tsx'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { Diagnosis } from './diagnosis.tsx'
import { KeepButton, KeptBadge } from './keep-server.tsx'
import { LogConsole } from './log-console.tsx'
import { RecordedSettings } from './recorded-settings.tsx'
import { RootsEditor } from './roots-editor.tsx'
import { ServerSettings } from './server-settings.tsx'
import { statusWords, targetOf } from './status-words.ts'
import { StderrConsole } from './stderr-console.tsx'
import { useConnect } from './use-connect.tsx'

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
          {chosen === 'overview' && <Overview server={server} />}
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

/** Why there is no connection. Where it is a matter of authorization, that tells it step by step. */
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

function ServerHead({ server }: { server: ServerView }): JSX.Element {
  const connect = useConnect()
  const { busy, problem, start } = useBusy()
  const isOn = server.status === 'connected' || server.status === 'connecting'
  return (
    <header className="stack">
      <div className="page-head">
        <div>
          <h1>{visible(server.info?.title ?? server.spec.name)}</h1>
          <div className="row small muted">
            <span className={`dot ${server.status}`} />
            <span role="status">{statusWords[server.status]}</span>
            {server.revision !== undefined && <span className="badge accent">{server.revision}</span>}
          </div>
          <div className="small muted mono target" title={targetOf(server)}>
            {visibleLine(targetOf(server))}
          </div>
          <div className="row kept-line">
            <KeptBadge server={server} />
            <KeepButton server={server} small />
          </div>
        </div>
        <div className="row">
          {isOn && server.spec.kind !== 'session' && <RecordButton server={server} />}
          {isOn && (
            <button
              type="button"
              className="button"
              disabled={busy}
              onClick={() => void start(() => run('server.disconnect', { server: server.id }))}
            >
              Disconnect
            </button>
          )}
          <button
            type="button"
            className={isOn ? 'button' : 'button primary'}
            disabled={busy}
            onClick={() => void start(() => connect(server.id))}
          >
            {isOn ? 'Reconnect' : 'Connect'}
          </button>
        </div>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {server.missing !== undefined && problem === undefined && (
        <p className="notice warn">
          <strong>Some secrets are not known any more</strong>
          <span>{visibleLine(server.missing.join(', '))}</span>
          <span className="muted">Give them under Settings before you connect.</span>
        </p>
      )}
    </header>
  )
}

const capabilityWords: ReadonlyMap<string, string> = new Map([
  ['tools', 'Tools'],
  ['resources', 'Resources'],
  ['prompts', 'Prompts'],
  ['completions', 'Completion of arguments'],
  ['logging', 'Logs'],
  ['experimental', 'Experiments'],
  ['extensions', 'Extensions'],
])

function Overview({ server }: { server: ServerView }): JSX.Element {
  const catalogs = useBench((bench) => bench.catalogs.get(server.id))
  const { info, capabilities, instructions } = server
  if (capabilities === undefined) {
    return (
      <Empty title={server.status === 'connecting' ? 'Connecting…' : 'Not connected'}>
        <p>Once connected, this shows who the server is, what it can do and what it says about itself.</p>
        {server.problem !== undefined && (
          <a className="button" href={hrefTo('servers', server.id, 'diagnosis')}>
            Find out why
          </a>
        )}
      </Empty>
    )
  }
  const count = (kind: 'tools' | 'resources' | 'templates' | 'prompts'): number => catalogs?.[kind]?.items.length ?? 0
  return (
    <div className="stack wide">
      <div className="counts">
        <CountCard href={hrefTo('tools')} count={count('tools')} label="tools" />
        <CountCard href={hrefTo('resources')} count={count('resources')} label="resources" />
        <CountCard href={hrefTo('resources')} count={count('templates')} label="templates" />
        <CountCard href={hrefTo('prompts')} count={count('prompts')} label="prompts" />
      </div>
      <section className="card" aria-label="Connection">
        <header>
          <h2>Connection</h2>
        </header>
        <dl className="facts body">
          <dt>Server</dt>
          <dd>{info === undefined ? 'does not say' : visible(`${info.name} ${info.version}`)}</dd>
          <dt>Revision</dt>
          <dd>
            {server.revision}
            {server.spec.revision !== undefined && <span className="muted"> (pinned)</span>}
          </dd>
          <dt>Connected in</dt>
          <dd>{duration(server.connectMs ?? 0)}</dd>
          <dt>Latency</dt>
          <dd>
            <Latency server={server} />
          </dd>
          {server.stream !== undefined && (
            <>
              <dt>Stream</dt>
              <dd>{server.stream}</dd>
            </>
          )}
        </dl>
      </section>
      <section className="card" aria-label="Capabilities">
        <header>
          <h2>Capabilities</h2>
        </header>
        <div className="body">
          {Object.entries(capabilities).map(([name, settings]) => (
            <div key={name} className="capability">
              <span>{capabilityWords.get(name) ?? visible(name)}</span>
              <CapabilitySettings settings={settings} />
            </div>
          ))}
          {Object.keys(capabilities).length === 0 && <p className="muted">It declares none.</p>}
        </div>
      </section>
      {instructions !== undefined && (
        <section className="card" aria-label="Instructions">
          <header>
            <h2>Instructions</h2>
            <span className="small muted">what the server wants the model to know</span>
          </header>
          <div className="body">
            <MarkdownView text={instructions} />
          </div>
        </section>
      )}
    </div>
  )
}

const settingWords: ReadonlyMap<string, string> = new Map([
  ['listChanged', 'tells when the list changes'],
  ['subscribe', 'tells when one changes'],
])

/** Plain yes-or-no settings in words, everything else as it was said. */
function CapabilitySettings({ settings }: { settings: object }): JSX.Element {
  const entries = Object.entries(settings)
  if (entries.length === 0) return <span className="badge ok">yes</span>
  if (!entries.every(([, value]) => value === true)) return <JsonTree value={settings} open={1} />
  return (
    <span className="row">
      {entries.map(([name]) => (
        <span key={name} className="badge ok">
          {settingWords.get(name) ?? visible(name)}
        </span>
      ))}
    </span>
  )
}

function CountCard({ href, count, label }: { href: string; count: number; label: string }): JSX.Element {
  return (
    <a className="card count-card" href={href}>
      <strong>{count}</strong>
      <span className="muted">{label}</span>
    </a>
  )
}

function Latency({ server }: { server: ServerView }): JSX.Element {
  const { busy, problem, start } = useBusy()
  const [asked, setAsked] = useState(false)
  const ping = (): Promise<void> => start(() => run('server.ping', { server: server.id }))
  useEffect(() => {
    if (asked || server.pingMs !== undefined) return
    setAsked(true)
    void run('server.ping', { server: server.id }).catch(() => {})
  }, [asked, server.id, server.pingMs])
  return (
    <span className="row">
      <span className="latency">{server.pingMs === undefined ? '…' : duration(server.pingMs)}</span>
      <button type="button" className="button small quiet" disabled={busy} onClick={() => void ping()}>
        Ping
      </button>
      {problem !== undefined && <span className="issue">{visible(problem.message)}</span>}
    </span>
  )
}
