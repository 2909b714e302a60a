import { type JSX, useDeferredValue, useMemo } from 'react'
import { LintBadge } from '../lint/lint-badge.tsx'
import { AddServerLink } from '../parts/add-server-link.tsx'
import { CatalogPane, type PaneItem } from '../parts/catalog-pane.tsx'
import { Empty } from '../parts/empty.tsx'
import { Split } from '../parts/split.tsx'
import type { Bench } from '../state/bench.ts'
import { hrefTo, useParam } from '../state/route.ts'
import { search } from '../state/search.ts'
import { useBench } from '../state/store.ts'
import { ResourcePage } from './resource-page.tsx'
import { TemplatePage } from './template-page.tsx'

/** All resources and templates of all servers, and the one that is chosen. */
export function ResourcesScreen(props: { server: string | undefined; uri: string | undefined }): JSX.Element {
  const { server, uri } = props
  const servers = useBench((bench) => bench.servers)
  const catalogs = useBench((bench) => bench.catalogs)
  const updated = useBench((bench) => bench.updated)
  const [query = '', setQuery] = useParam('q')
  const wanted = useDeferredValue(query)
  const items = useMemo(() => offered(servers, catalogs, updated), [servers, catalogs, updated])
  const found = useMemo(() => search(items, wanted, ({ title, about, key }) => [title, key, about]), [items, wanted])
  const owner = servers.find(({ id }) => id === server)
  const template = owner && catalogs.get(owner.id)?.templates?.items.find(({ uriTemplate }) => uriTemplate === uri)
  const isChosen = owner !== undefined && uri !== undefined
  return (
    <Split
      isChosen={isChosen}
      list={
        <CatalogPane
          label="Resources"
          kinds={['resources', 'templates']}
          items={found}
          chosen={isChosen ? `${server} ${uri}` : undefined}
          query={query}
          search={setQuery}
        />
      }
    >
      {isChosen && template !== undefined && (
        <TemplatePage key={`${owner.id} ${uri}`} server={owner} template={template} />
      )}
      {isChosen && template === undefined && <ResourcePage key={`${owner.id} ${uri}`} server={owner} uri={uri} />}
      {!isChosen && (
        <Empty title={items.length > 0 ? 'Choose a resource' : 'No resources yet'}>
          <p>Documents, data and pictures that servers offer to read. Templates have names with gaps to fill in.</p>
          {items.length === 0 && <AddServerLink />}
        </Empty>
      )}
    </Split>
  )
}

function offered(servers: Bench['servers'], catalogs: Bench['catalogs'], updated: Bench['updated']): PaneItem[] {
  return servers
    .filter(({ status }) => status === 'connected')
    .flatMap((server) => {
      const { resources, templates } = catalogs.get(server.id) ?? {}
      const plain = (resources?.items ?? []).map(({ uri, title, name, description }) => ({
        key: `${server.id} ${uri}`,
        server,
        href: hrefTo('resources', server.id, uri),
        icon: 'resources' as const,
        title: title ?? name,
        about: description ?? uri,
        marks: (
          <>
            {updated.has(`${server.id} ${uri}`) && <span className="badge accent">changed</span>}
            <LintBadge server={server.id} kind="resource" name={uri} />
          </>
        ),
      }))
      const withGaps = (templates?.items ?? []).map(({ uriTemplate, title, name, description }) => ({
        key: `${server.id} ${uriTemplate}`,
        server,
        href: hrefTo('resources', server.id, uriTemplate),
        icon: 'templates' as const,
        title: title ?? name,
        about: description ?? uriTemplate,
        marks: (
          <>
            <span className="badge">template</span>
            <LintBadge server={server.id} kind="template" name={uriTemplate} />
          </>
        ),
      }))
      return [...plain, ...withGaps]
    })
}
