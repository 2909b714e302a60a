import type { JSX } from 'react'
import type { Collection } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { FileLinks } from '../files/file-links.tsx'
import { Empty } from '../parts/empty.tsx'
import { OpenFile } from '../parts/open-file.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { ServerFilter } from '../parts/server-filter.tsx'
import { Split } from '../parts/split.tsx'
import { run } from '../state/api.ts'
import { goTo, hrefTo, useParam } from '../state/route.ts'
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
              <FileLinks
                key={known.id}
                screen="saved"
                item="call"
                file={known}
                items={known.calls}
                chosen={known.id === id ? (index ?? '') : undefined}
                params={{ server: only }}
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
