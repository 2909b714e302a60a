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
import { PromptPage } from './prompt-page.tsx'

/** All prompts of all servers, and the one that is chosen. */
export function PromptsScreen({ server, name }: { server: string | undefined; name: string | undefined }): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const catalogs = useBench((bench) => bench.catalogs)
  const [query = '', setQuery] = useParam('q')
  const wanted = useDeferredValue(query)
  const items = useMemo(() => offered(servers, catalogs), [servers, catalogs])
  const found = useMemo(() => search(items, wanted, ({ title, about, key }) => [title, key, about]), [items, wanted])
  const owner = servers.find(({ id }) => id === server)
  const prompt = owner && catalogs.get(owner.id)?.prompts?.items.find((known) => known.name === name)
  return (
    <Split
      isChosen={prompt !== undefined}
      list={
        <CatalogPane
          label="Prompts"
          kinds={['prompts']}
          items={found}
          chosen={prompt && `${server} ${name}`}
          query={query}
          search={setQuery}
        />
      }
    >
      {owner !== undefined && prompt !== undefined ? (
        <PromptPage key={`${server} ${name}`} server={owner} prompt={prompt} />
      ) : (
        <Empty title={items.length > 0 ? 'Choose a prompt' : 'No prompts yet'}>
          <p>Messages that servers have prepared, with arguments to fill in.</p>
          {items.length === 0 && <AddServerLink />}
        </Empty>
      )}
    </Split>
  )
}

const offered = (servers: Bench['servers'], catalogs: Bench['catalogs']): PaneItem[] =>
  servers
    .filter(({ status }) => status === 'connected')
    .flatMap((server) =>
      (catalogs.get(server.id)?.prompts?.items ?? []).map(({ name, title, description }) => ({
        key: `${server.id} ${name}`,
        server,
        href: hrefTo('prompts', server.id, name),
        icon: 'prompts',
        title: title ?? name,
        about: description ?? name,
        marks: <LintBadge server={server.id} kind="prompt" name={name} />,
      })),
    )
