import type { JSX } from 'react'
import type { Call, Operation } from '../../src/protocol.ts'
import { clock, duration } from '../content/format.ts'
import { visibleLine } from '../content/visible.ts'
import { CallState } from '../parts/call-panel.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { timelineAddress } from '../timeline/address.ts'
import { toolOf, toolTitle } from '../tools/tool-list.ts'

const shown = 8

/** The last calls, newest first. Each leads to its form and its result. */
export function RecentCalls(): JSX.Element {
  const calls = useBench((bench) => bench.calls)
  const recent = [...calls.values()].toReversed().slice(0, shown)
  return (
    <section aria-labelledby="start-calls" className="stack">
      <h2 id="start-calls">Recent calls</h2>
      {recent.length === 0 ? (
        <div className="card start-empty">
          <p className="muted">Calls of tools, resources and prompts are listed here, with their results.</p>
          <a className="button" href={hrefTo('tools')}>
            <Icon name="tools" />
            Choose a tool
          </a>
        </div>
      ) : (
        <ul className="card start-list">
          {recent.map((call) => (
            <li key={call.id}>
              <RecentCall call={call} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function RecentCall({ call }: { call: Call }): JSX.Element {
  const { operation, server, startedAt, outcome } = call
  const name = useBench(({ servers }) => servers.find(({ id }) => id === server)?.spec.name ?? '')
  const title = useBench((bench) => titleOf(operation, server, bench))
  const { icon, href } = linkOf(call)
  return (
    <a className="start-line" href={href}>
      <Icon name={icon} />
      <span className="grow">
        <strong>{visibleLine(title)}</strong> <span className="small muted">{visibleLine(name)}</span>
      </span>
      <CallState call={call} />
      <span className="small muted start-time">
        {outcome === undefined ? clock(startedAt).slice(0, 8) : duration(outcome.durationMs)}
      </span>
    </a>
  )
}

function titleOf(operation: Operation, server: string, bench: Parameters<typeof toolOf>[1]): string {
  if (operation.method === 'resources/read') return operation.uri
  const tool = operation.method === 'tools/call' ? toolOf({ server, tool: operation.name }, bench) : undefined
  return tool === undefined ? operation.name : toolTitle(tool)
}

function linkOf({ operation, server, sent }: Call): { icon: IconName; href: string } {
  switch (operation.method) {
    case 'tools/call':
      return { icon: 'tools', href: hrefTo('tools', server, operation.name) }
    case 'resources/read':
      return { icon: 'resources', href: hrefTo('resources', server, operation.uri) }
    case 'prompts/get':
      return { icon: 'prompts', href: hrefTo('prompts', server, operation.name) }
    case 'request':
      return { icon: 'timeline', href: timelineAddress(sent === undefined ? {} : { q: `of:${sent.first}` }) }
  }
}
