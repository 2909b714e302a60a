import { type JSX, useDeferredValue, useMemo } from 'react'
import { LintBadge } from '../lint/lint-badge.tsx'
import { AddServerLink } from '../parts/add-server-link.tsx'
import { CatalogPane, type PaneItem } from '../parts/catalog-pane.tsx'
import { Empty } from '../parts/empty.tsx'
import { Split } from '../parts/split.tsx'
import { hrefTo, useParam } from '../state/route.ts'
import { search } from '../state/search.ts'
import { useBench } from '../state/store.ts'
import { offeredTools, toolTitle } from './tool-list.ts'
import { ToolPage } from './tool-page.tsx'

/** All tools of all servers, and the one that is chosen. */
export function ToolsScreen({ server, name }: { server: string | undefined; name: string | undefined }): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const catalogs = useBench((bench) => bench.catalogs)
  const [query = '', setQuery] = useParam('q')
  const wanted = useDeferredValue(query)
  const tools = useMemo(() => offeredTools({ servers, catalogs }), [servers, catalogs])
  const found = useMemo(
    () => search(tools, wanted, (one) => [one.tool.name, one.tool.title, one.server.spec.name, one.tool.description]),
    [tools, wanted],
  )
  // It stays when its server ends: the last result is worth reading then.
  const owner = servers.find(({ id }) => id === server)
  const tool = owner && catalogs.get(owner.id)?.tools?.items.find((known) => known.name === name)
  const isChosen = owner !== undefined && tool !== undefined
  const items = useMemo(() => found.map(toItem), [found])
  return (
    <Split
      isChosen={isChosen}
      list={
        <CatalogPane
          label="Tools"
          kinds={['tools']}
          items={items}
          chosen={isChosen ? `${server} ${name}` : undefined}
          query={query}
          search={setQuery}
        />
      }
    >
      {isChosen ? <ToolPage key={`${server} ${name}`} tool={tool} server={owner} /> : <NoTool count={tools.length} />}
    </Split>
  )
}

const toItem = ({ server, tool }: ReturnType<typeof offeredTools>[number]): PaneItem => ({
  key: `${server.id} ${tool.name}`,
  server,
  href: hrefTo('tools', server.id, tool.name),
  icon: 'tools',
  title: toolTitle(tool),
  about: tool.description ?? tool.name,
  marks: <LintBadge server={server.id} kind="tool" name={tool.name} />,
})

function NoTool({ count }: { count: number }): JSX.Element {
  if (count > 0) {
    return (
      <Empty title="Choose a tool">
        <p key={count}>
          {count} tools are offered. Press <kbd>/</kbd> to search all servers at once.
        </p>
      </Empty>
    )
  }
  return (
    <Empty title="No tools yet">
      <p>Connect a server that offers tools. They appear here as soon as it has listed them.</p>
      <AddServerLink />
    </Empty>
  )
}
