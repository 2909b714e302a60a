import { appUriOf } from '@tenon/sdk/apps/host'
import type { Tool } from '@tenon/sdk/client'
import type { JSX } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { AppView } from '../apps/app-view.tsx'
import { SideBySide } from '../compare/side-by-side.tsx'
import { JsonTree } from '../content/json-tree.tsx'
import { MarkdownView } from '../content/markdown-view.tsx'
import { visible } from '../content/visible.ts'
import { LintDetails } from '../lint/lint-details.tsx'
import { CallColumns, NoResult } from '../parts/call-columns.tsx'
import { CallPanel } from '../parts/call-panel.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { ResultRoom } from '../parts/result-room.tsx'
import { hrefTo } from '../state/route.ts'
import { AnnotationBadges } from './annotation-badges.tsx'
import { CallHistory } from './call-history.tsx'
import { ToolForm } from './tool-form.tsx'
import { toolTitle } from './tool-list.ts'
import { ToolResultView } from './tool-result.tsx'
import { useToolForm } from './use-tool-form.ts'

/** One tool: its description, its form, and its answer. */
export function ToolPage({ tool, server }: { tool: Tool; server: ServerView }): JSX.Element {
  const form = useToolForm(tool, server)
  const { call, operation, problem } = form
  return (
    <CallColumns
      form={
        <>
          <ToolHead tool={tool} server={server} />
          <ToolForm tool={tool} server={server} form={form} />
        </>
      }
    >
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {call === undefined ? (
        <NoResult>The result of the call is shown here, with the request and the response as they were sent.</NoResult>
      ) : (
        <ResultRoom>
          <CallPanel call={call}>
            {(result) => <ToolResultView result={result} tool={tool} server={server.id} />}
          </CallPanel>
          {appUriOf(tool) !== undefined && <AppView key={call.id} call={call} tool={tool} />}
        </ResultRoom>
      )}
      <CallHistory tool={tool} server={server} form={form} />
      <SideBySide server={server} operation={operation}>
        {(result, from, which) => <ToolResultView result={result} tool={tool} server={from} which={which} />}
      </SideBySide>
      <LintDetails server={server.id} kind="tool" name={tool.name} />
      <ToolDefinition tool={tool} />
    </CallColumns>
  )
}

function ToolHead({ tool, server }: { tool: Tool; server: ServerView }): JSX.Element {
  const title = toolTitle(tool)
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
