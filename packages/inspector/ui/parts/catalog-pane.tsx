import { type JSX, type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { CatalogKind, Problem, ServerView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { useParam, withParams } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { Icon, type IconName } from './icon.tsx'
import { NearList } from './near-list.tsx'
import { SearchBox } from './search-box.tsx'
import { ServerFilter } from './server-filter.tsx'
import { useSteadyOrder } from './use-steady-order.ts'

/** An entry of a list of things that servers offer. */
export interface PaneItem {
  key: string
  server: ServerView
  href: string
  icon: IconName
  title: string
  about: string | undefined
  marks?: ReactNode
}

interface Props {
  label: string
  kinds: readonly CatalogKind[]
  items: readonly PaneItem[]
  /** The key of the one that is shown beside the list. */
  chosen: string | undefined
  query: string
  search: (query: string) => void
}

const wholeUpTo = 200

/** The items of all servers, in groups by server; during a search the best match comes first. */
export function CatalogPane({ label, kinds, items: all, chosen, query, search }: Props): JSX.Element {
  const isSearch = query.trim() !== ''
  const [only, setOnly] = useParam('server')
  const items = useMemo(() => (only === undefined ? all : all.filter(({ server }) => server.id === only)), [all, only])
  const owners = new Map(items.map(({ server }) => [server.id, server]))
  const order = useSteadyOrder([...owners.keys()])
  const groups = isSearch ? [undefined] : order.map((id) => owners.get(id)!)
  return (
    <nav className="list-pane" aria-label={label}>
      {chosen === undefined && <h1 className="visually-hidden">{label}</h1>}
      <div className="list-head">
        <SearchBox
          label={`Search ${label.toLowerCase()}`}
          value={query}
          change={search}
          placeholder={`Search ${label.toLowerCase()}`}
        />
        <ServerFilter only={only} choose={setOnly} />
      </div>
      <div className="list-scroll">
        {groups.map((group) => (
          <section key={group?.id ?? 'all'} aria-label={group?.spec.name ?? 'Found'}>
            {group !== undefined && <div className="list-group">{visible(group.spec.name)}</div>}
            <NearList
              items={items.filter(({ server }) => group === undefined || server === group)}
              keyOf={({ key }) => key}
              isWhole={items.length <= wholeUpTo}
            >
              {(item) => (
                <PaneLink
                  item={item}
                  params={{ q: query, server: only }}
                  isChosen={item.key === chosen}
                  showServer={isSearch}
                />
              )}
            </NearList>
          </section>
        ))}
        {items.length === 0 && isSearch && <p className="muted pane-note">Nothing fits “{query}”.</p>}
        <ListProblems kinds={kinds} />
      </div>
    </nav>
  )
}

interface LinkProps {
  item: PaneItem
  /** How the list is looked at, which stays when an item is opened. */
  params: { q: string; server: string | undefined }
  isChosen: boolean
  showServer: boolean
}

function PaneLink({ item, params, isChosen, showServer }: LinkProps): JSX.Element {
  const link = useRef<HTMLAnchorElement>(null)
  // It may have been chosen elsewhere, as in the palette.
  useEffect(() => {
    if (isChosen) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <a
      ref={link}
      className="list-item"
      href={withParams(item.href, params)}
      aria-current={isChosen ? 'page' : undefined}
    >
      <Icon name={item.icon} />
      <span className="title">
        {visible(item.title)}
        {item.marks}
      </span>
      <span className="about">
        {showServer && `${item.server.spec.name} · `}
        {visible(item.about ?? '')}
      </span>
    </a>
  )
}

/** Lists that could not be read, each with its reason. */
function ListProblems({ kinds }: { kinds: readonly CatalogKind[] }): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const catalogs = useBench((bench) => bench.catalogs)
  const problems = servers.flatMap(({ id, spec }) =>
    kinds.flatMap((kind): { key: string; name: string; problem: Problem }[] => {
      const problem = catalogs.get(id)?.[kind]?.problem
      return problem === undefined ? [] : [{ key: `${id} ${kind}`, name: `${kind} of ${spec.name}`, problem }]
    }),
  )
  return (
    <>
      {problems.map(({ key, name, problem }) => (
        <p key={key} className="notice danger small">
          <strong>The {visible(name)} could not be listed</strong>
          {visible(problem.message)}
        </p>
      ))}
    </>
  )
}
