import { type JSX, useId, useState } from 'react'
import type { EvalSuite } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { FileChoice, firstFile, isChosen, nameOf } from '../files/file-choice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { keepSuite, newTitle } from './suites.ts'

interface Props {
  suites: readonly EvalSuite[]
  /** The file that is looked at. */
  chosen: string | undefined
  close: () => void
}

/** Begins a case with its prompt; the checks follow on its page. */
export function NewCase({ suites, chosen, close }: Props): JSX.Element {
  const id = useId()
  const [suite, setSuite] = useState(() => firstFile(suites, newTitle, chosen))
  const [prompt, setPrompt] = useState('')
  const [servers, setServers] = useState<readonly string[]>([])
  const { busy, problem, start } = useBusy()
  const save = (): Promise<void> =>
    start(async () => {
      const { suite: changed, index } = await run('evals.put', {
        suite: nameOf(suite),
        case: { prompt },
        servers: [...servers],
      })
      keepSuite(changed)
      close()
      goTo('evals', changed.id, String(index))
    })
  return (
    <Dialog label="New case" close={close}>
      <form
        className="inside stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <h1>New case</h1>
        <FileChoice word="file" files={suites} draft={suite} change={setSuite} />
        <div className="field">
          <label htmlFor={id}>Prompt</label>
          <textarea
            id={id}
            className="textarea"
            rows={3}
            placeholder="Will it rain in Bergen?"
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
        </div>
        {/* A file that is there names its servers already. */}
        {suite.id === undefined && <ServerChoice chosen={servers} choose={setServers} />}
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div className="row dialog-foot">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={
              busy || prompt.trim() === '' || !isChosen(suite) || (suite.id === undefined && servers.length === 0)
            }
          >
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function ServerChoice(props: { chosen: readonly string[]; choose: (ids: readonly string[]) => void }): JSX.Element {
  const { chosen, choose } = props
  const servers = useBench((bench) => bench.servers)
  if (servers.length === 0) return <p className="small muted">There is no server yet: add one first.</p>
  const toggle = (id: string): void =>
    choose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <fieldset className="bare stack">
      <legend>With the tools of</legend>
      {servers.map(({ id, spec }) => (
        <label key={id} className="row">
          <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
          {visible(spec.name)}
        </label>
      ))}
    </fieldset>
  )
}
