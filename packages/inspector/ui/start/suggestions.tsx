import type { Tool } from '@tenon/sdk/client'
import { type JSX, useMemo, useState } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Term } from '../parts/term.tsx'
import { useSteadyOrder } from '../parts/use-steady-order.ts'
import type { Bench } from '../state/bench.ts'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { offeredTools, toolTitle } from '../tools/tool-list.ts'

interface Suggestion {
  key: string
  icon: IconName
  title: string
  about: string
  /** The method of the protocol that it leads to. */
  term?: string
  href: string
}

/** A few things to try with the servers that are connected. */
export function Suggestions(): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const catalogs = useBench((bench) => bench.catalogs)
  const isSettled = useSettled(servers, catalogs)
  const known = useMemo(() => (isSettled ? suggest({ servers, catalogs }) : []), [isSettled, servers, catalogs])
  const order = useSteadyOrder(known.map(({ key }) => key))
  const suggestions = order.map((key) => known.find((one) => one.key === key)!)
  return (
    <section aria-labelledby="start-try" className="stack">
      <h2 id="start-try">Try</h2>
      <ul className="card start-list">
        {suggestions.map(({ key, icon, title, about, term, href }) => (
          <li key={key}>
            <a className="start-line" href={href}>
              <Icon name={icon} />
              <span className="grow">
                <strong>{visibleLine(title)}</strong> <span className="small muted">{visibleLine(about)}</span>
              </span>
              {term !== undefined && <Term>{term}</Term>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Nothing is suggested while servers still list what they have: the suggestions would move. */
function useSettled(servers: Bench['servers'], catalogs: Bench['catalogs']): boolean {
  const [was, setWas] = useState(false)
  const is = servers.every(
    ({ id, status }) =>
      status !== 'connecting' &&
      (status !== 'connected' || Object.values(catalogs.get(id) ?? {}).every(({ loading }) => loading !== true)),
  )
  if (is && !was) setWas(true)
  return is || was
}

const needsNothing = ({ inputSchema }: Tool): boolean =>
  !Array.isArray(inputSchema.required) || inputSchema.required.length === 0

function suggest(bench: Pick<Bench, 'servers' | 'catalogs'>): Suggestion[] {
  const tools = offeredTools(bench)
  const simple = tools.find(({ tool }) => needsNothing(tool) && tool.annotations?.readOnlyHint === true)
  const filled = tools.find(({ tool }) => !needsNothing(tool))
  const chosen = [simple, filled].flatMap((found) => (found === undefined ? [] : [found]))
  return [
    ...chosen.map(({ server, tool }) => ({
      key: `tool ${server.id} ${tool.name}`,
      icon: 'tools' as const,
      title: toolTitle(tool),
      about: `of ${server.spec.name}`,
      term: 'tools/call',
      href: hrefTo('tools', server.id, tool.name),
    })),
    ...others(bench),
    ...(tools.length === 0
      ? []
      : [
          {
            key: 'playground',
            icon: 'playground' as const,
            title: 'Playground',
            about: 'let a model use the tools',
            href: hrefTo('playground'),
          },
        ]),
    {
      key: 'timeline',
      icon: 'timeline',
      title: 'Timeline',
      about: 'every message, as it went over the wire',
      href: hrefTo('timeline'),
    },
    {
      key: 'saved',
      icon: 'saved',
      title: 'Saved calls',
      about: 'calls with expectations, as tests',
      href: hrefTo('saved'),
    },
  ]
}

/** The first resource and the first prompt of a connected server. */
function others({ servers, catalogs }: Pick<Bench, 'servers' | 'catalogs'>): Suggestion[] {
  const connected = servers.filter(({ status }) => status === 'connected')
  const first = <Found,>(find: (server: ServerView) => Found | undefined): Found | undefined =>
    connected.map(find).find((found) => found !== undefined)
  const resource = first(({ id, spec }): Suggestion | undefined => {
    const [item] = catalogs.get(id)?.resources?.items ?? []
    if (item === undefined) return undefined
    const href = hrefTo('resources', id, item.uri)
    return {
      key: 'resource',
      icon: 'resources',
      title: item.title ?? item.name,
      about: `of ${spec.name}`,
      term: 'resources/read',
      href,
    }
  })
  const prompt = first(({ id, spec }): Suggestion | undefined => {
    const [item] = catalogs.get(id)?.prompts?.items ?? []
    if (item === undefined) return undefined
    const href = hrefTo('prompts', id, item.name)
    return {
      key: 'prompt',
      icon: 'prompts',
      title: item.title ?? item.name,
      about: `of ${spec.name}`,
      term: 'prompts/get',
      href,
    }
  })
  return [resource, prompt].flatMap((found) => (found === undefined ? [] : [found]))
}
