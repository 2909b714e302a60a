import { type JSX, useId, useState } from 'react'
import type { EvalSuite } from '../../src/protocol.ts'
import { Unread } from '../form/draft.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { linesOf } from './case-draft.ts'
import { NumberField } from './checks-editor.tsx'
import { keepSuite } from './suites.ts'

/** Settings for all cases of a file: models, runs, and the calls that are allowed. */
export function SuiteSettings({ suite }: { suite: EvalSuite }): JSX.Element {
  const id = useId()
  const [texts, setTexts] = useState({
    title: suite.title,
    models: suite.models.join('\n'),
    system: suite.system ?? '',
    allow: suite.allow.join('\n'),
  })
  const [runs, setRuns] = useState<unknown>(suite.runs)
  const { busy, problem, start } = useBusy()
  const save = (): Promise<void> =>
    start(async () => {
      const { title, models, system, allow } = texts
      const settings = {
        title: title.trim(),
        models: linesOf(models),
        runs: (runs ?? 1) as number,
        system: system.trim(),
        allow: linesOf(allow),
      }
      keepSuite((await run('evals.set', { suite: suite.id, settings })).suite)
    })
  const area = (label: string, member: keyof typeof texts, hint: string, rows: number): JSX.Element => (
    <div className="field">
      <label htmlFor={`${id}-${member}`}>{label}</label>
      <textarea
        id={`${id}-${member}`}
        className={member === 'system' ? 'textarea' : 'textarea mono'}
        rows={rows}
        spellCheck={member === 'system'}
        aria-describedby={`${id}-${member}-hint`}
        value={texts[member]}
        onChange={(event) => setTexts({ ...texts, [member]: event.target.value })}
      />
      <p id={`${id}-${member}-hint`} className="small muted">
        {hint}
      </p>
    </div>
  )
  return (
    <section className="card" aria-label="Settings of the file">
      <form
        className="body stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div className="field">
          <label htmlFor={`${id}-title`}>Title</label>
          <input
            id={`${id}-title`}
            className="input"
            maxLength={100}
            value={texts.title}
            onChange={(event) => setTexts({ ...texts, title: event.target.value })}
          />
        </div>
        {area('Models', 'models', 'One in a line, such as anthropic/claude-sonnet-5-5. None: the offline script.', 2)}
        <NumberField label="Runs of each case" value={runs} change={setRuns} />
        {area('System prompt', 'system', 'Goes before each prompt that has none of its own.', 2)}
        {area(
          'Allowed calls',
          'allow',
          'One in a line: server.tool, with * for any characters. All others are refused, because nobody is asked.',
          3,
        )}
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div>
          <button type="submit" className="button primary" disabled={busy || runs instanceof Unread}>
            Save the settings
          </button>
        </div>
      </form>
    </section>
  )
}
