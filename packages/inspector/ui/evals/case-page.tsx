import { type JSX, useId, useState } from 'react'
import type { EvalCaseView, EvalSuite } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { SaveBar } from '../files/save-bar.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { offeredTools } from '../tools/tool-list.ts'
import { type CaseDraft, caseDraftOf, caseOfDraft } from './case-draft.ts'
import { ChecksEditor, NumberField } from './checks-editor.tsx'
import { Evaluate } from './evaluate.tsx'
import { keepSuite } from './suites.ts'

const textOf = (draft: CaseDraft): string | undefined => {
  const { value } = caseOfDraft(draft)
  return value && JSON.stringify(value)
}

/** One case: its prompt, its checks, and its conversations. */
export function CasePage({ suite, one }: { suite: EvalSuite; one: EvalCaseView }): JSX.Element {
  const [draft, setDraft] = useState(() => caseDraftOf(one.source))
  const { busy, problem, start } = useBusy()
  const { value: source, problems } = caseOfDraft(draft)
  const isChanged = textOf(draft) !== textOf(caseDraftOf(one.source))
  const change = (part: Partial<CaseDraft>): void => setDraft({ ...draft, ...part })
  const names = useBench((bench) => bench.servers)
  const catalogs = useBench((bench) => bench.catalogs)
  const tools = offeredTools({ servers: names, catalogs }).map(({ server, tool }) => `${server.spec.name}.${tool.name}`)
  const save = async (): Promise<void> => {
    if (source === undefined) return
    keepSuite((await run('evals.put', { suite: suite.id, index: one.index, case: source })).suite)
  }
  const remove = (): Promise<void> =>
    start(async () => {
      const { suite: changed } = await run('evals.remove', { suite: suite.id, index: one.index })
      goTo('evals', suite.id)
      keepSuite(changed)
    })
  return (
    <div className="column stack wide">
      <header className="stack">
        <a className="button small back-link" href={hrefTo('evals')}>
          ← All eval files
        </a>
        <div>
          <h1>{visible(one.name)}</h1>
          <div className="row small muted">
            <a href={hrefTo('evals', suite.id)}>{visible(suite.title)}</a>
            <span>on {suite.servers.map(visible).join(', ')}</span>
          </div>
        </div>
      </header>
      <Asked draft={draft} change={change} />
      <section className="card" aria-label="Checks">
        <header>
          <h2>A good answer</h2>
        </header>
        <div className="body">
          <ChecksEditor draft={draft} change={change} tools={tools} />
        </div>
        <SaveBar
          item="case"
          busy={busy}
          isChanged={isChanged}
          isReady={source !== undefined}
          problems={problems}
          save={() => void start(save)}
          remove={() => void remove()}
        />
      </section>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Evaluate
        suite={suite}
        only={one}
        isReady={source !== undefined}
        before={async () => {
          if (isChanged) await save()
        }}
      />
    </div>
  )
}

/** The prompt, and how it is tried. */
function Asked({ draft, change }: { draft: CaseDraft; change: (part: Partial<CaseDraft>) => void }): JSX.Element {
  const id = useId()
  const [more, setMore] = useState(draft.system !== '' || draft.skip !== '')
  const line = (label: string, member: 'name' | 'skip', placeholder: string): JSX.Element => (
    <div className="field">
      <label htmlFor={`${id}-${member}`}>{label}</label>
      <input
        id={`${id}-${member}`}
        className="input"
        placeholder={placeholder}
        value={draft[member]}
        onChange={(event) => change({ [member]: event.target.value })}
      />
    </div>
  )
  const words = (label: string, member: 'prompt' | 'system'): JSX.Element => (
    <div className="field">
      <label htmlFor={`${id}-${member}`}>{label}</label>
      <textarea
        id={`${id}-${member}`}
        className="textarea"
        rows={3}
        value={draft[member]}
        onChange={(event) => change({ [member]: event.target.value })}
      />
    </div>
  )
  return (
    <section className="card" aria-label="Asked">
      <div className="body stack">
        {line('Name', 'name', 'as the prompt')}
        {words('Prompt', 'prompt')}
        <div className="row number-fields">
          <NumberField label="Runs" placeholder="as the file" value={draft.runs} change={(runs) => change({ runs })} />
          <NumberField
            label="Part that has to pass"
            placeholder="1"
            value={draft.passRate}
            change={(passRate) => change({ passRate })}
          />
        </div>
        {more ? (
          <>
            {words('System prompt', 'system')}
            {line('Not run, because', 'skip', 'empty: it is run')}
          </>
        ) : (
          <div>
            <button type="button" className="button small" onClick={() => setMore(true)}>
              More…
            </button>
          </div>
        )}
      </div>
    </section>
  )
}
