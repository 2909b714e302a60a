import type { Tool } from '@tenon/sdk/client'
import { type JSX, useCallback, useEffect, useState } from 'react'
import type { TaskOutcome, TaskView } from '../../src/protocol.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { ToolResultView } from '../tools/tool-result.tsx'

interface Props {
  view: TaskView
  tool: Tool | undefined
  /** Whether the outcome can be read from the server. */
  isConnected: boolean
}

/** The outcome of a task. */
export function TaskOutcomeView({ view, tool, isConnected }: Props): JSX.Element {
  const { server, task } = view
  const [outcome, setOutcome] = useState<TaskOutcome>()
  const { busy, problem, start } = useBusy()
  const read = useCallback(
    () => start(async () => setOutcome((await run('task.outcome', { server, task: task.taskId })).outcome)),
    [server, task.taskId, start],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a server that is connected again can be asked again.
  useEffect(() => void read(), [read, isConnected])
  return (
    <section className="card call-panel" aria-label="Result" aria-busy={busy}>
      <header>
        <h2>Result</h2>
      </header>
      <div className="body stack">
        {outcome === undefined && busy && <p className="muted">The server is asked for it…</p>}
        {outcome === undefined && problem !== undefined && (
          <>
            <ProblemNotice problem={problem} />
            <div>
              <button type="button" className="button small" disabled={busy} onClick={() => void read()}>
                Ask again
              </button>
            </div>
          </>
        )}
        {outcome?.kind === 'problem' && <ProblemNotice problem={outcome.problem} />}
        {outcome?.kind === 'result' && (
          <>
            <ToolResultView result={outcome.result} tool={tool ?? unknownTool} server={server} />
            <details>
              <summary className="small muted">The whole result</summary>
              <JsonTree value={outcome.result} />
            </details>
          </>
        )}
      </div>
    </section>
  )
}

/** Stands for the tool of a task that was started elsewhere: nothing is promised about its results. */
const unknownTool: Tool = { name: '', inputSchema: { type: 'object' } }
