import { type JSX, useState } from 'react'
import { visible } from '../content/visible.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'

interface Props {
  id: string
  /** The things in it, such as calls. */
  holds: string
  remove: () => Promise<void>
}

/** Deletes a file, after a question. */
export function DeleteFile({ id, holds, remove }: Props): JSX.Element {
  const [asked, setAsked] = useState(false)
  const { busy, problem, start } = useBusy()
  return (
    <>
      <button type="button" className="button danger" onClick={() => setAsked(true)}>
        Delete
      </button>
      {asked && (
        <Dialog label="Delete this file?" close={() => setAsked(false)}>
          <div className="inside stack">
            <h1>Delete this file?</h1>
            <p>
              {visible(id)} and all its {holds} are gone then.
            </p>
            {problem !== undefined && <ProblemNotice problem={problem} />}
            <div className="row dialog-foot">
              <button type="button" className="button" onClick={() => setAsked(false)}>
                Keep it
              </button>
              <button type="button" className="button danger" disabled={busy} onClick={() => void start(remove)}>
                Delete the file
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
