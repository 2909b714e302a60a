import type { JsonObject } from '@tenon/sdk/client'
import { type JSX, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Collection, Operation, Outcome, Problem } from '../../src/protocol.ts'
import { FileChoice, type FileDraft, firstFile, isChosen, nameOf } from '../files/file-choice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { keepCollection, useCollections } from './collections.ts'
import { expectationOf, toSource } from './source.ts'

interface Props {
  /** Undefined if it is not known: the file then names no server. */
  server: string | undefined
  /** Undefined while the form shows none: there is nothing to save. */
  operation: Operation | undefined
  /** Its last outcome: it can be expected from now on. */
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

/** A call that can be saved: its form stands for one. */
type Savable = Omit<Props, 'className'> & { operation: Operation }

function SaveDialog({ close, ...props }: Savable & { close: () => void }): JSX.Element {
  const { draft, set, collections, canSave, problem, save } = useSaveForm(props, close)
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
        <FileChoice
          word="collection"
          files={collections}
          draft={draft.collection}
          change={(collection) => set({ collection })}
        />
        <NameInput name={draft.name} set={set} />
        <ExpectChoice expectsAnswer={draft.expectsAnswer} set={set} hasAnswer={props.outcome !== undefined} />
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div className="row dialog-foot">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!canSave}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface SaveDraft {
  collection: FileDraft
  name: string
  /** Whether the last answer is expected from now on. */
  expectsAnswer: boolean
}

type SetDraft = (part: Partial<SaveDraft>) => void

interface SaveForm {
  draft: SaveDraft
  set: SetDraft
  collections: readonly Collection[]
  canSave: boolean
  problem: Problem | undefined
  save: () => Promise<void>
}

/** The fields of the dialog, and how they are saved. */
function useSaveForm({ server, operation, outcome, hasSchema = false }: Savable, close: () => void): SaveForm {
  const { items: collections = [] } = useCollections()
  const [{ collection = firstFile(collections, 'My calls'), ...rest }, setEntered] = useState<EnteredDraft>({
    name: '',
    expectsAnswer: outcome !== undefined,
  })
  const draft = { collection, ...rest }
  const { busy, problem, start } = useBusy()
  const save = (): Promise<void> =>
    start(async () => {
      const saved = await run('saved.put', {
        collection: nameOf(collection),
        call: callOf(draft, operation, draft.expectsAnswer ? expectationOf(operation, outcome, hasSchema) : {}),
        ...(server !== undefined && { server }),
      })
      keepCollection(saved.collection)
      close()
      goTo('saved', saved.collection.id, String(saved.index))
    })
  const set = (part: Partial<SaveDraft>): void => setEntered((before) => ({ ...before, ...part }))
  const canSave = !busy && isChosen(collection)
  return { draft, set, collections, canSave, problem, save }
}

/** Until a person chooses a collection, the first usable one is taken. */
type EnteredDraft = Omit<SaveDraft, 'collection'> & { collection?: FileDraft }

const callOf = (draft: SaveDraft, operation: Operation, expect: JsonObject): JsonObject => ({
  ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
  ...toSource(operation),
  ...(Object.keys(expect).length > 0 && { expect }),
})

function NameInput({ name, set }: { name: string; set: SetDraft }): JSX.Element {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Name of the call (optional)</label>
      <input id={id} className="input" value={name} onChange={(event) => set({ name: event.target.value })} />
    </div>
  )
}

function ExpectChoice(props: { expectsAnswer: boolean; set: SetDraft; hasAnswer: boolean }): JSX.Element {
  const id = useId()
  const { expectsAnswer, set, hasAnswer } = props
  return (
    <fieldset className="bare stack">
      <legend>Expect</legend>
      <label className="row">
        <input type="radio" name={id} checked={!expectsAnswer} onChange={() => set({ expectsAnswer: false })} />
        that it works
      </label>
      <label className="row">
        <input
          type="radio"
          name={id}
          checked={expectsAnswer}
          disabled={!hasAnswer}
          onChange={() => set({ expectsAnswer: true })}
        />
        the answer that came {!hasAnswer && <span className="muted">(make the call first)</span>}
      </label>
    </fieldset>
  )
}
