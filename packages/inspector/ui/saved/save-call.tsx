import { type JSX, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Operation, Outcome } from '../../src/protocol.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { keepCollection, useShelf } from './collections.ts'
import { expectationOf, toSource } from './source.ts'

interface Props {
  /** Undefined if it is not known: the file is then told nothing about a server. */
  server: string | undefined
  /** Undefined while the form shows none: there is nothing to save. */
  operation: Operation | undefined
  /** What came of it last: it can be expected from now on. */
  outcome?: Outcome | undefined
  hasSchema?: boolean
  className?: string
}

/** Keeps a call in a file, to be made again. */
export function SaveCall({ className = 'button', operation, ...props }: Props): JSX.Element {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={className} disabled={operation === undefined} onClick={() => setOpen(true)}>
        Save this call
      </button>
      {/* The button may stand in a form, and a form must not stand in another. */}
      {open &&
        operation !== undefined &&
        createPortal(<SaveDialog {...props} operation={operation} close={() => setOpen(false)} />, document.body)}
    </>
  )
}

const newOne = ' new'

function SaveDialog({
  server,
  operation,
  outcome,
  hasSchema = false,
  close,
}: Props & { operation: Operation; close: () => void }): JSX.Element {
  const id = useId()
  const { collections = [] } = useShelf()
  const [chosen, setChosen] = useState<string>()
  const [title, setTitle] = useState('My calls')
  const [name, setName] = useState('')
  const [asItIs, setAsItIs] = useState(outcome !== undefined)
  const { busy, problem, start } = useBusy()
  const usable = collections.filter(({ problems }) => problems.length === 0)
  const where = chosen ?? usable[0]?.id ?? newOne
  const save = (): Promise<void> =>
    start(async () => {
      const expect = asItIs ? expectationOf(operation, outcome, hasSchema) : {}
      const call = {
        ...(name.trim() !== '' && { name: name.trim() }),
        ...toSource(operation),
        ...(Object.keys(expect).length > 0 && { expect }),
      }
      const saved = await run('saved.put', {
        collection: where === newOne ? title : where,
        call,
        ...(server !== undefined && { server }),
      })
      keepCollection(saved.collection)
      close()
      goTo('saved', saved.collection.id, String(saved.index))
    })
  return (
    <Dialog label="Save this call" close={close}>
      <form
        className="inside stack"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void save()
        }}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <h1>Save this call</h1>
        <div className="field">
          <label htmlFor={`${id}-where`}>Collection</label>
          <select
            id={`${id}-where`}
            className="select"
            value={where}
            onChange={(event) => setChosen(event.target.value)}
          >
            {usable.map((collection) => (
              <option key={collection.id} value={collection.id}>
                {collection.title}
              </option>
            ))}
            <option value={newOne}>A new collection…</option>
          </select>
        </div>
        {where === newOne && (
          <div className="field">
            <label htmlFor={`${id}-title`}>Its title</label>
            <input
              id={`${id}-title`}
              className="input"
              value={title}
              maxLength={100}
              onChange={(event) => setTitle(event.target.value)}
            />
          </div>
        )}
        <div className="field">
          <label htmlFor={`${id}-name`}>What the call shows (may be left out)</label>
          <input id={`${id}-name`} className="input" value={name} onChange={(event) => setName(event.target.value)} />
        </div>
        <fieldset className="bare stack">
          <legend>Expect</legend>
          <label className="row">
            <input type="radio" name={`${id}-expect`} checked={!asItIs} onChange={() => setAsItIs(false)} />
            that it works
          </label>
          <label className="row">
            <input
              type="radio"
              name={`${id}-expect`}
              checked={asItIs}
              disabled={outcome === undefined}
              onChange={() => setAsItIs(true)}
            />
            the answer that came {outcome === undefined && <span className="muted">(make the call first)</span>}
          </label>
        </fieldset>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div className="row dialog-foot">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={busy || (where === newOne && title.trim() === '')}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
