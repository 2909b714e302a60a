import type { JsonObject } from '@tenon/sdk/client'
import { type JSX, useId, useState } from 'react'
import type { Collection, SavedCallView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { SaveBar } from '../files/save-bar.tsx'
import { type Draft, draftOf, isPlainObject, type Reading, readObjectDraft, Unread } from '../form/draft.ts'
import { JsonInput } from '../form/json-input.tsx'
import { readJsonObject } from '../form/read-json.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import type { ExpectDraft } from './checks.ts'
import { keepCollection } from './collections.ts'
import { ExpectationEditor } from './expectation-editor.tsx'
import { RunControls } from './run-controls.tsx'

/** A saved call as it stands in the form. */
interface CallDraft {
  name: string
  asked: Draft
  expect: ExpectDraft
}

function toDraft({ name, expect, ...asked }: JsonObject): CallDraft {
  return { name: typeof name === 'string' ? name : '', asked: draftOf(asked), expect: (expect ?? {}) as ExpectDraft }
}

function toSource({ name, asked, expect }: CallDraft): Reading<JsonObject> {
  const [call, expected] = [readObjectDraft(asked), readObjectDraft(draftOf(expect))]
  if (call.problems !== undefined) return call
  if (expected.problems !== undefined) return expected
  return {
    value: {
      ...(name !== '' && { name }),
      ...call.value,
      ...(Object.keys(expected.value).length > 0 && { expect: expected.value }),
    },
  }
}

/** Two fields for one member would show two values of it. */
function readAsked(text: string): unknown {
  const read = readJsonObject(text)
  const other = isPlainObject(read) && ['name', 'expect'].find((name) => Object.hasOwn(read, name))
  return other ? new Unread(text, `The member ${JSON.stringify(other)} has a field of its own`) : read
}

const textOf = (draft: CallDraft): string | undefined => {
  const { value } = toSource(draft)
  return value && JSON.stringify(value)
}

/** One saved call: its request, its expectation, and its result. */
export function SavedCallPage({ collection, call }: { collection: Collection; call: SavedCallView }): JSX.Element {
  const [draft, setDraft] = useState(() => toDraft(call.source))
  const { busy, problem, start } = useBusy()
  const { value: source, problems } = toSource(draft)
  const isChanged = textOf(draft) !== textOf(toDraft(call.source))
  const save = async (): Promise<void> => {
    if (source === undefined) return
    const { collection: changed } = await run('saved.put', {
      collection: collection.id,
      index: call.index,
      call: source,
    })
    keepCollection(changed)
  }
  const remove = (): Promise<void> =>
    start(async () => {
      const { collection: changed } = await run('saved.remove', { collection: collection.id, index: call.index })
      goTo('saved', collection.id)
      keepCollection(changed)
    })
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
      <Asked draft={draft} change={(part) => setDraft({ ...draft, ...part })} />
      <section className="card" aria-label="Expected">
        <header>
          <h2>Expectation</h2>
        </header>
        <div className="body">
          <ExpectationEditor expect={draft.expect} change={(expect) => setDraft({ ...draft, expect })} />
        </div>
        <SaveBar
          item="call"
          busy={busy}
          isChanged={isChanged}
          isReady={source !== undefined}
          problems={problems}
          save={() => void start(save)}
          remove={() => void remove()}
        />
      </section>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <RunControls
        collection={collection}
        index={call.index}
        isReady={source !== undefined}
        before={async () => {
          if (isChanged) await save()
        }}
      />
    </div>
  )
}

/** The request, as the file says it. */
function Asked({ draft, change }: { draft: CallDraft; change: (part: Partial<CallDraft>) => void }): JSX.Element {
  const id = useId()
  return (
    <section className="card" aria-label="Asked">
      <div className="body stack">
        <div className="field">
          <label htmlFor={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            className="input"
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-call`}>Request</label>
          <JsonInput
            id={`${id}-call`}
            rows={6}
            value={draft.asked}
            change={(asked) => change({ asked: draftOf(asked) })}
            read={readAsked}
          />
        </div>
      </div>
    </section>
  )
}
