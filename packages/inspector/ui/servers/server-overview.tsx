import { type JSX, useEffect, useState } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { MarkdownView } from '../content/markdown-view.tsx'
import { visible } from '../content/visible.ts'
import { LintCard } from '../lint/lint-card.tsx'
import { Empty } from '../parts/empty.tsx'
import { Term } from '../parts/term.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { HostFiles } from './host-files.tsx'
import { HostView } from './host-view.tsx'

const capabilityWords: ReadonlyMap<string, string> = new Map([
  ['tools', 'Tools'],
  ['resources', 'Resources'],
  ['prompts', 'Prompts'],
  ['completions', 'Completion of arguments'],
  ['logging', 'Logs'],
  ['experimental', 'Experiments'],
  ['extensions', 'Extensions'],
])

/** The name of a server, its capabilities and its instructions. */
export function ServerOverview({ server }: { server: ServerView }): JSX.Element {
  const catalogs = useBench((bench) => bench.catalogs.get(server.id))
  const { info, capabilities, instructions } = server
  if (capabilities === undefined) {
    return (
      <Empty title={server.status === 'connecting' ? 'Connecting…' : 'Not connected'}>
        <p>Once connected, this shows the name, the capabilities and the instructions of the server.</p>
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
        <CountCard href={hrefTo('tools', { server: server.id })} count={count('tools')} label="tools" />
        <CountCard href={hrefTo('resources', { server: server.id })} count={count('resources')} label="resources" />
        <CountCard href={hrefTo('resources', { server: server.id })} count={count('templates')} label="templates" />
        <CountCard href={hrefTo('prompts', { server: server.id })} count={count('prompts')} label="prompts" />
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
              <span>
                {capabilityWords.get(name) ?? visible(name)} {capabilityWords.has(name) && <Term>{name}</Term>}
              </span>
              <CapabilitySettings settings={settings} />
            </div>
          ))}
          {Object.keys(capabilities).length === 0 && <p className="muted">It declares none.</p>}
        </div>
      </section>
      <HostView server={server} />
      <LintCard key={server.id} server={server} />
      {server.spec.kind !== 'session' && <HostFiles key={server.id} server={server} />}
      {instructions !== undefined && (
        <section className="card" aria-label="Instructions">
          <header>
            <h2>Instructions</h2>
            <span className="small muted">of the server to the model</span>
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
          {settingWords.get(name) ?? visible(name)} {settingWords.has(name) && <Term>{name}</Term>}
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
