import { type JSX, useId, useState } from 'react'
import type { Collection } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { RunSection } from '../files/run-section.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { RunResults } from './run-results.tsx'

interface Props {
  collection: Collection
  /** Only this one. */
  index?: number
  /** False while the form above shows no call that could be run. */
  isReady?: boolean
  /** Runs first, such as saving. */
  before?: () => Promise<unknown>
}

/** Runs a file, or one call of it: the server, the revisions, and the results. */
export function RunControls({ collection, index, isReady = true, before }: Props): JSX.Element {
  const id = useId()
  const servers = useBench((bench) => bench.servers)
  const revisions = useBench((bench) => bench.revisions)
  const [server, setServer] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [runId, setRunId] = useState<string>()
  const state = useBench((bench) => (runId === undefined ? undefined : bench.runs.get(runId)))
  const { busy, problem, start } = useBusy()
  const begin = (): Promise<void> =>
    start(async () => {
      await before?.()
      const wish = {
        collection: collection.id,
        ...(index !== undefined && { calls: [index] }),
        ...(chosen.length > 0 && { revisions: [...chosen] }),
        ...(server !== '' && { server }),
      }
      setRunId((await run('saved.run', wish)).run)
    })
  const toggle = (revision: string): void =>
    setChosen(chosen.includes(revision) ? chosen.filter((other) => other !== revision) : [...chosen, revision])
  const challenge = state?.run.challenge
  return (
    <RunSection
      fields={
        <>
          <div className="row">
            <label htmlFor={id}>On</label>
            <select
              id={id}
              className="select run-server"
              value={server}
              onChange={(event) => setServer(event.target.value)}
            >
              <option value="">the servers that the file names</option>
              {servers.map(({ id: known, spec }) => (
                <option key={known} value={known}>
                  {visible(spec.name)}
                </option>
              ))}
            </select>
          </div>
          <fieldset className="bare row" aria-label="Revisions">
            {revisions.map((revision) => (
              <label key={revision} className="row small">
                <input type="checkbox" checked={chosen.includes(revision)} onChange={() => toggle(revision)} />
                {revision}
              </label>
            ))}
          </fieldset>
          <p className="small muted">
            Without a choice: {collection.revisions.length > 0 ? 'as the file says' : 'the newest that the server has'}
          </p>
        </>
      }
      label={index === undefined ? 'Run all' : 'Run'}
      isRunning={state?.run.state === 'running'}
      isDisabled={busy || !isReady}
      begin={() => void begin()}
      stop={() => void run('saved.stop', { run: runId! })}
      problem={problem}
      challenge={challenge}
      agree={(agreed) => run('saved.agree', { run: runId!, challenge: challenge!.id, agreed })}
    >
      {state !== undefined && <RunResults state={state} collection={collection} />}
    </RunSection>
  )
}
