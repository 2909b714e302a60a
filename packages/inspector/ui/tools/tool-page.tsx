import { appUriOf } from '@tenon/sdk/apps/host'
import type { Tool } from '@tenon/sdk/client'
import { type JSX, useState } from 'react'
import type { Operation, ServerView } from '../../src/protocol.ts'
import { AppView } from '../apps/app-view.tsx'
import { SideBySide } from '../compare/side-by-side.tsx'
import { JsonTree } from '../content/json-tree.tsx'
import { MarkdownView } from '../content/markdown-view.tsx'
import { visible } from '../content/visible.ts'
import { type Draft, draftOf, readObjectDraft } from '../form/draft.ts'
import { SchemaForm, useIssues } from '../form/schema-form.tsx'
import { initialValue } from '../form/values.ts'
import { CallPanel } from '../parts/call-panel.tsx'
import { NothingSent } from '../parts/nothing-sent.tsx'
import { outcomeOf } from '../parts/outcome-of.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { ResultRoom } from '../parts/result-room.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { useSubmitKey } from '../parts/use-submit-key.ts'
import { SaveCall } from '../saved/save-call.tsx'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { useKept } from '../state/use-kept.ts'
import { taskSupport } from '../tasks/task-support.ts'
import { AnnotationBadges } from './annotation-badges.tsx'
import { titleOf } from './tool-list.ts'
import { ToolResultView } from './tool-result.tsx'

/** One tool: what it is, its form, and what it answered. */
export function ToolPage({ tool, server }: { tool: Tool; server: ServerView }): JSX.Element {
  const { inputSchema } = tool
  const place = `tool ${server.id} ${tool.name}`
  const beginning = (): Draft => draftOf(initialValue(inputSchema, inputSchema) ?? {})
  const [args, setArgs] = useKept<Draft>(`${place} arguments`, beginning)
  const [tried, setTried] = useState(false)
  const [callId, setCallId] = useKept<string | undefined>(`${place} call`, () => undefined)
  const support = taskSupport(tool, server)
  const [asTask, setAsTask] = useState(support === 'required')
  const { busy, problem, start } = useBusy()
  const call = useBench((bench) => (callId === undefined ? undefined : bench.calls.get(callId)))
  const { issues } = useIssues(inputSchema, args)
  const isRunning = busy || (call !== undefined && call.outcome === undefined)

  const { value, problems } = readObjectDraft(args)
  const operation: Operation | undefined = value && { method: 'tools/call', name: tool.name, arguments: value }

  const send = async (): Promise<void> => {
    setTried(true)
    if (operation === undefined) return
    const asked = { ...operation, ...(asTask && { task: true }) }
    await start(async () => setCallId((await run('call.start', { server: server.id, operation: asked })).call))
  }
  useSubmitKey(() => {
    if (!isRunning) void send()
  })
  return (
    <div className="column stack wide">
      <ToolHead tool={tool} server={server} />
      <form
        className="card tool-form"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
        noValidate
      >
        <div className="body">
          <SchemaForm schema={inputSchema} draft={args} change={setArgs} showIssues={tried} label="Arguments" />
        </div>
        <footer className="form-foot">
          <button type="submit" className="button primary" disabled={isRunning} aria-keyshortcuts="Control+Enter">
            {isRunning ? 'Running…' : 'Call tool'}
          </button>
          <span className="small muted hide-narrow">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          {support !== 'forbidden' && (
            <label className="row small">
              <input
                type="checkbox"
                checked={asTask}
                disabled={support === 'required'}
                onChange={(event) => setAsTask(event.target.checked)}
              />
              Run as a task{support === 'required' && ', which this tool demands'}
              {support === 'decided' && ', if the server wants that'}
            </label>
          )}
          <span className="grow" />
          {tried && <NothingSent problems={problems} />}
          {tried && issues.size > 0 && (
            <span className="small issue form-issue">{issues.size} values do not fit. It was sent as it is.</span>
          )}
          <SaveCall
            server={server.id}
            operation={operation}
            outcome={outcomeOf(call, operation)}
            hasSchema={tool.outputSchema !== undefined}
          />
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              setArgs(beginning())
              setTried(false)
            }}
          >
            Reset
          </button>
        </footer>
      </form>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {call !== undefined && (
        <ResultRoom>
          <CallPanel call={call}>
            {(result) => <ToolResultView result={result} tool={tool} server={server.id} />}
          </CallPanel>
          {appUriOf(tool) !== undefined && <AppView key={call.id} call={call} tool={tool} />}
        </ResultRoom>
      )}
      <SideBySide server={server} operation={operation}>
        {(result, from, which) => <ToolResultView result={result} tool={tool} server={from} which={which} />}
      </SideBySide>
      <ToolDefinition tool={tool} />
    </div>
  )
}

function ToolHead({ tool, server }: { tool: Tool; server: ServerView }): JSX.Element {
  const title = titleOf(tool)
  return (
    <header className="stack">
      <a className="button small back-link" href={hrefTo('tools')}>
        ← All tools
      </a>
      <div>
        <h1>{visible(title)}</h1>
        <div className="row small muted">
          <code>{visible(tool.name)}</code>
          <span>
            of <a href={hrefTo('servers', server.id)}>{visible(server.spec.name)}</a>
          </span>
        </div>
      </div>
      <AnnotationBadges annotations={tool.annotations} />
      {tool.description !== undefined && <MarkdownView text={tool.description} />}
    </header>
  )
}

function ToolDefinition({ tool }: { tool: Tool }): JSX.Element {
  return (
    <details className="card definition">
      <summary>Definition, as the server listed it</summary>
      <div className="body">
        <JsonTree value={tool} open={1} />
      </div>
    </details>
  )
}
