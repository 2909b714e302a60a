import { appUriOf } from '@tenon/sdk/apps/host'
import type { CallToolResult } from '@tenon/sdk/client'
import type { JSX } from 'react'
import type { ToolUse } from '../../src/protocol.ts'
import { AppView } from '../apps/app-view.tsx'
import { ContentList } from '../content/content-view.tsx'
import { duration } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible, visibleLine } from '../content/visible.ts'
import { CallProgress } from '../parts/call-panel.tsx'
import { QuestionCard } from '../questions/question-card.tsx'
import { useBench } from '../state/store.ts'
import { timelineAddress } from '../timeline/address.ts'
import { toolOf } from '../tools/tool-list.ts'
import { ToolResultView } from '../tools/tool-result.tsx'
import { toolUseFor } from './answers.ts'

/** Characters of a result that is shown without being opened. */
const shortResult = 2_000

/** A tool call of a model: whether it may be made, its questions, its result, and its messages in the timeline. */
export function ToolCard({ use, isOver }: { use: ToolUse; isOver: boolean }): JSX.Element {
  const { name, server, tool, arguments: args, outcome } = use
  const call = useBench((bench) => (use.call === undefined ? undefined : bench.calls.get(use.call)))
  const serverName = useBench((bench) => bench.servers.find(({ id }) => id === server)?.spec.name)
  const row = use.row ?? call?.sent?.first
  const label = visibleLine(tool ?? name)
  return (
    <section className="card tool-use" aria-label={`Tool call ${label}`} aria-busy={outcome === undefined && !isOver}>
      <header>
        <h3 className="mono">{label}</h3>
        {serverName !== undefined && <span className="small muted">of {visibleLine(serverName)}</span>}
        <UseState use={use} isOver={isOver} />
        {row !== undefined && (
          <a href={timelineAddress({ q: `of:${row}` })} title="The messages of this call, in the timeline">
            Messages
          </a>
        )}
        <span className="grow" />
        {use.durationMs !== undefined && <span className="small muted">{duration(use.durationMs)}</span>}
      </header>
      <div className="body stack">
        <details>
          <summary className="small muted arguments-line">Arguments {visibleLine(JSON.stringify(args))}</summary>
          <JsonTree value={args} open={2} />
        </details>
        {outcome === undefined && !isOver && <Questions use={use} />}
        {outcome === undefined && call !== undefined && call.outcome === undefined && <CallProgress call={call} />}
        <Result use={use} />
        <View use={use} />
      </div>
    </section>
  )
}

const outcomes: { [Outcome in NonNullable<ToolUse['outcome']>]: [tone: string, text: string] } = {
  ok: ['ok', 'done'],
  error: ['danger', 'failed'],
  refused: ['warn', 'declined'],
  cancelled: ['warn', 'cancelled'],
  interrupted: ['warn', 'interrupted'],
  limit: ['warn', 'not called'],
}

function UseState({ use: { outcome, call, server }, isOver }: { use: ToolUse; isOver: boolean }): JSX.Element {
  const waiting = server !== undefined && call === undefined ? 'waits for you' : 'running'
  const [tone, text] = outcome ? outcomes[outcome] : isOver ? ['warn', 'ended'] : ['accent', waiting]
  return (
    <span className={`badge ${tone}`} role="status">
      {text}
    </span>
  )
}

/** Everything that has to be answered before this call ends. */
function Questions({ use }: { use: ToolUse }): JSX.Element {
  const questions = useBench((bench) => bench.questions)
  const playground = useBench((bench) => bench.playground)
  return (
    <>
      {questions
        .filter((question) => toolUseFor(question, playground) === use.id)
        .map((question) => (
          <QuestionCard key={question.id} question={question} />
        ))}
    </>
  )
}

function Result({ use: { result, outcome, server = '', tool } }: { use: ToolUse }): JSX.Element | null {
  const known = useBench((bench) => toolOf({ server, ...(tool !== undefined && { tool }) }, bench))
  if (outcome === undefined) return null
  if (result === undefined) return <p className="small muted">The result is large: it is in the timeline.</p>
  const { content } = result as unknown as CallToolResult
  return (
    <details open={JSON.stringify(result).length <= shortResult}>
      <summary className="small muted">Result</summary>
      {known === undefined || outcome === 'refused' || outcome === 'cancelled' ? (
        <ContentList blocks={Array.isArray(content) ? content : []} server={server} />
      ) : (
        <ToolResultView result={result} tool={known} server={server} which={visible(known.name)} />
      )}
    </details>
  )
}

/** The view that the server made for the result, if there is one and the call is still known. */
function View({ use: { server, tool, call: id, outcome } }: { use: ToolUse }): JSX.Element | null {
  const call = useBench((bench) => (id === undefined ? undefined : bench.calls.get(id)))
  const known = useBench((bench) => (server && tool ? toolOf({ server, tool }, bench) : undefined))
  if (outcome !== 'ok' || call === undefined || known === undefined || appUriOf(known) === undefined) return null
  return <AppView call={call} tool={known} />
}
