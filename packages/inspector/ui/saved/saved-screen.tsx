import type { JSX } from 'react'
import type { Collection } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { OpenFile } from '../parts/open-file.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { ServerFilter } from '../parts/server-filter.tsx'
import { Split } from '../parts/split.tsx'
import { run } from '../state/api.ts'
import { goTo, hrefTo, useParam, withParams } from '../state/route.ts'
import { CollectionPage } from './collection-page.tsx'
import { keepCollection, useCollections } from './collections.ts'
import { SavedCallPage } from './saved-call-page.tsx'

/** The collections of saved calls, and the collection or the call that is chosen. */
export function SavedScreen({ id, index }: { id: string | undefined; index: string | undefined }): JSX.Element {
  const { folder, items: collections, problem } = useCollections()
  const collection = collections?.find((known) => known.id === id)
  const [only, setOnly] = useParam('server')
  const names = collections?.flatMap(({ calls }) => calls.map(({ server }) => server)) ?? []
  const shown = collections?.flatMap((known) => collectionOf(only, known))
  const call = index === undefined ? undefined : collection?.calls[Number(index)]
  return (
    <Split
      isChosen={collection !== undefined}
      list={
        <nav className="list-pane" aria-label="Saved calls">
          {collection === undefined && <h1 className="visually-hidden">Saved calls</h1>}
          <div className="list-head row">
            <OpenFile label="Open a file" accept=".yaml,.yml,.json" take={open} />
            <ServerFilter only={only} choose={setOnly} names={names} />
          </div>
          <div className="list-scroll">
            {problem !== undefined && <ProblemNotice problem={problem} />}
            {shown?.map((known) => (
              <CollectionLinks
                key={known.id}
                collection={known}
                chosen={known.id === id ? (index ?? '') : undefined}
                only={only}
              />
            ))}
            {folder !== '' && <p className="small muted pane-note saved-folder">Files in {visible(folder)}</p>}
          </div>
        </nav>
      }
    >
      {collection !== undefined && call !== undefined && (
        <SavedCallPage key={`${collection.id} ${call.index}`} collection={collection} call={call} />
      )}
      {collection !== undefined && call === undefined && <CollectionPage key={collection.id} collection={collection} />}
      {collection === undefined && collections !== undefined && <NothingChosen count={collections.length} />}
    </Split>
  )
}

/** A collection with the calls of one server; none if it has no such calls. */
function collectionOf(only: string | undefined, collection: Collection): Collection[] {
  if (only === undefined) return [collection]
  const calls = collection.calls.filter(({ server }) => server === only)
  return calls.length === 0 ? [] : [{ ...collection, calls }]
}

async function open(name: string, text: string): Promise<void> {
  const { collection } = await run('saved.write', { collection: name, text, isNew: true })
  keepCollection(collection)
  goTo('saved', collection.id)
}

interface LinksProps {
  collection: Collection
  chosen: string | undefined
  /** The server whose calls are listed. */
  only: string | undefined
}

function CollectionLinks({ collection, chosen, only }: LinksProps): JSX.Element {
  const { id, title, calls, problems } = collection
  return (
    <section aria-label={title}>
      <a
        className="list-item"
        href={withParams(hrefTo('saved', id), { server: only })}
        aria-current={chosen === '' ? 'page' : undefined}
      >
        <Icon name="saved" />
        <span className="title">
          {visible(title)}
          {problems.length > 0 && <span className="badge danger">cannot be read</span>}
        </span>
        <span className="about">
          {visible(id)} · {calls.length} {calls.length === 1 ? 'call' : 'calls'}
        </span>
      </a>
      <ul className="saved-links">
        {calls.map(({ index, name }) => (
          <li key={String(index)}>
            <a
              className="list-item"
              href={withParams(hrefTo('saved', id, String(index)), { server: only })}
              aria-current={chosen === String(index) ? 'page' : undefined}
            >
              {visible(name)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NothingChosen({ count }: { count: number }): JSX.Element {
  if (count > 0) {
    return (
      <Empty title="Choose a collection or a call">
        <p>Calls with expectations of their answers. They are files that `tenon test` runs too.</p>
      </Empty>
    )
  }
  return (
    <Empty title="No saved calls yet">
      <p>
        Call a tool, and choose “Save this call”: it can be made again, and its answer compared with the expectation.
      </p>
      <a className="button primary" href={hrefTo('tools')}>
        Go to the tools
      </a>
    </Empty>
  )
}
