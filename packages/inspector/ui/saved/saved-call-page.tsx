import type { JsonObject } from '@tenon/sdk/client'
import { type JSX, useId, useState } from 'react'
import type { Collection, SavedCallView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { JsonInput } from '../form/json-input.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { keepCollection } from './collections.ts'
import { ExpectationEditor } from './expectation-editor.tsx'
import { RunControls } from './run-controls.tsx'

const same = (a: JsonObject, b: JsonObject): boolean => JSON.stringify(a) === JSON.stringify(b)

/** One saved call: what is asked, what is expected, and what comes of it. */
export function SavedCallPage({ collection, call }: { collection: Collection; call: SavedCallView }): JSX.Element {
  const [draft, setDraft] = useState(call.source)
  const { busy, problem, start } = useBusy()
  const isChanged = !same(draft, call.source)
  const save = async (): Promise<void> => {
    const { collection: changed } = await run('saved.put', {
      collection: collection.id,
      index: call.index,
      call: draft,
    })
    keepCollection(changed)
  }
  const remove = (): Promise<void> =>
    start(async () => {
      const { collection: changed } = await run('saved.remove', { collection: collection.id, index: call.index })
      goTo('saved', collection.id)
      keepCollection(changed)
    })
  const { expect = {}, ...asked } = draft
  return (
    <div className="column stack wide">
      <header className="stack">
        <a className="button small back-link" href={hrefTo('saved')}>
          ← All saved calls
        </a>
        <div>
          <h1>{visible(call.name)}</h1>
          <div className="row small muted">
            <a href={hrefTo('saved', collection.id)}>{visible(collection.title)}</a>
            <span>on {visible(call.server)}</span>
          </div>
        </div>
      </header>
      <Asked asked={asked} change={(next) => setDraft({ ...next, ...(draft.expect !== undefined && { expect }) })} />
      <section className="card" aria-label="Expected">
        <header>
          <h2>What is expected</h2>
        </header>
        <div className="body">
          <ExpectationEditor
            expect={expect as JsonObject}
            change={(next) => setDraft(Object.keys(next).length === 0 ? asked : { ...asked, expect: next })}
          />
        </div>
        <footer className="form-foot">
          <button
            type="button"
            className="button primary"
            disabled={busy || !isChanged}
            onClick={() => void start(save)}
          >
            Save
          </button>
          {isChanged && <span className="small muted">not saved yet</span>}
          <span className="grow" />
          <button type="button" className="button quiet danger" disabled={busy} onClick={() => void remove()}>
            Remove this call
          </button>
        </footer>
      </section>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <RunControls
        collection={collection}
        index={call.index}
        before={async () => {
          if (isChanged) await save()
        }}
      />
    </div>
  )
}

/** What is asked, as the file says it. */
function Asked({ asked, change }: { asked: JsonObject; change: (asked: JsonObject) => void }): JSX.Element {
  const id = useId()
  const { name, ...rest } = asked
  return (
    <section className="card" aria-label="Asked">
      <div className="body stack">
        <div className="field">
          <label htmlFor={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            className="input"
            value={typeof name === 'string' ? name : ''}
            onChange={(event) => change({ ...(event.target.value !== '' && { name: event.target.value }), ...rest })}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-call`}>What is asked</label>
          <JsonInput
            id={`${id}-call`}
            rows={6}
            value={rest}
            change={(value) => change({ ...(name !== undefined && { name }), ...((value ?? {}) as JsonObject) })}
          />
        </div>
      </div>
    </section>
  )
}
