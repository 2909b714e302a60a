import { type JSX, useDeferredValue, useMemo, useState } from 'react'
import { CatalogPane, type PaneItem } from '../parts/catalog-pane.tsx'
import { Empty } from '../parts/empty.tsx'
import { hrefTo } from '../state/route.ts'
import { search } from '../state/search.ts'
import { useBench } from '../state/store.ts'
import { offeredTools, titleOf } from './tool-list.ts'
import { ToolPage } from './tool-page.tsx'

/** All tools of all servers, and the one that is chosen. */
export function ToolsScreen({ server, name }: { server: string | undefined; name: string | undefined }): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const catalogs = useBench((bench) => bench.catalogs)
  const [query, setQuery] = useState('')
  const wanted = useDeferredValue(query)
  const tools = useMemo(() => offeredTools({ servers, catalogs }), [servers, catalogs])
  const found = useMemo(
    () =>
      search(tools, wanted, ({ tool, server: owner }) => [tool.name, tool.title, owner.spec.name, tool.description]),
    [tools, wanted],
  )
  const chosen = tools.find(({ tool, server: owner }) => owner.id === server && tool.name === name)
  const items = useMemo(() => found.map(toItem), [found])
  return (
    <div className={chosen === undefined ? 'split' : 'split chosen'}>
      <CatalogPane
        label="Tools"
        kinds={['tools']}
        items={items}
        chosen={chosen && `${server} ${name}`}
        query={query}
        search={setQuery}
      />
      <div className="detail-pane">
        {chosen === undefined ? (
          <NoTool count={tools.length} />
        ) : (
          <ToolPage key={`${server} ${name}`} tool={chosen.tool} server={chosen.server} />
        )}
      </div>
    </div>
  )
}

const toItem = ({ server, tool }: ReturnType<typeof offeredTools>[number]): PaneItem => ({
  key: `${server.id} ${tool.name}`,
  server,
  href: hrefTo('tools', server.id, tool.name),
  title: titleOf(tool),
  about: tool.description ?? tool.name,
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
      <a className="button primary" href={hrefTo('add')}>
        Add a server
      </a>
    </Empty>
  )
}
