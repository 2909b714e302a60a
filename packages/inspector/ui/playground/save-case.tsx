import { type JSX, useState } from 'react'
import { createPortal } from 'react-dom'
import type { PlaygroundCase } from '../../src/protocol.ts'
import { keepSuite, newTitle, useSuites } from '../evals/suites.ts'
import { FileChoice, type FileDraft, firstFile, isChosen, nameOf } from '../files/file-choice.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { download } from '../parts/files.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'

/** Makes an eval case of a message and its answer. */
export function SaveCase({ turn, index }: { turn: string; index: number }): JSX.Element {
  const [made, setMade] = useState<PlaygroundCase>()
  const { busy, problem, start } = useBusy()
  const make = (): Promise<void> =>
    start(async () => setMade(await run('playground.evalCase', { turn, answer: index })))
  return (
    <>
      <button type="button" className="button small quiet" disabled={busy} onClick={() => void make()}>
        Save as eval case
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {made !== undefined && createPortal(<CaseDialog made={made} close={() => setMade(undefined)} />, document.body)}
    </>
  )
}

function CaseDialog({ made, close }: { made: PlaygroundCase; close: () => void }): JSX.Element {
  const { items: suites } = useSuites()
  const [entered, setEntered] = useState<FileDraft>()
  // Until a person chooses a file, the first usable one is taken.
  const suite = entered ?? firstFile(suites ?? [], newTitle)
  const { busy, problem, start } = useBusy()
  const save = (): Promise<void> =>
    start(async () => {
      const { case: one, servers, allow } = made
      const saved = await run('evals.put', { suite: nameOf(suite), case: one, servers, allow })
      keepSuite(saved.suite)
      close()
      goTo('evals', saved.suite.id, String(saved.index))
    })
  return (
    <Dialog label="Eval case" close={close}>
      <form
        className="inside stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <h1>Save as eval case</h1>
        <p className="small muted">
          It expects the calls of this answer. Take out what another good answer may do differently.
        </p>
        <FileChoice word="file" files={suites ?? []} draft={suite} change={setEntered} />
        <details>
          <summary className="small muted">As a file for tenon eval</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard, too. */}
          <section className="plain-text mono case-text" aria-label="The file" tabIndex={0}>
            {made.text}
          </section>
          <div className="row">
            <button type="button" className="button small" onClick={() => download(made.name, made.text)}>
              Download {made.name}
            </button>
            <CopyButton text={made.text} />
          </div>
        </details>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div className="row dialog-foot">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={busy || suites === undefined || !isChosen(suite)}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
