import type { JsonObject, ReadResourceResult } from '@tenon/sdk/client'
import { type JSX, useCallback, useEffect, useState } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { SideBySide } from '../compare/side-by-side.tsx'
import { ContentsView } from '../content/content-view.tsx'
import { size } from '../content/format.ts'
import { visible } from '../content/visible.ts'
import { CallPanel } from '../parts/call-panel.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { ResultRoom } from '../parts/result-room.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { SaveCall } from '../saved/save-call.tsx'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { markSeen, useBench } from '../state/store.ts'

/** Reads a resource, and again on demand. */
export function useReading(server: string): {
  read: (uri: string) => Promise<void>
  callId: string | undefined
  busy: boolean
  problem: ReturnType<typeof useBusy>['problem']
} {
  const [callId, setCallId] = useState<string>()
  const { busy, problem, start } = useBusy()
  const read = useCallback(
    (uri: string): Promise<void> =>
      start(async () => {
        markSeen(server, uri)
        const operation = { method: 'resources/read' as const, uri }
        setCallId((await run('call.start', { server, operation })).call)
      }),
    [server, start],
  )
  return { read, callId, busy, problem }
}

/** One resource: its description, and its contents. */
export function ResourcePage({ server, uri }: { server: ServerView; uri: string }): JSX.Element {
  const known = useBench((bench) => bench.catalogs.get(server.id)?.resources?.items.find((item) => item.uri === uri))
  const hasChanged = useBench((bench) => bench.updated.has(`${server.id} ${uri}`))
  const { read, callId, problem } = useReading(server.id)
  const call = useBench((bench) => (callId === undefined ? undefined : bench.calls.get(callId)))
  const isConnected = server.status === 'connected'
  useEffect(() => {
    if (isConnected) void read(uri)
  }, [isConnected, read, uri])
  return (
    <div className="column stack wide">
      <header className="stack">
        <a className="button small back-link" href={hrefTo('resources')}>
          ← All resources
        </a>
        <div>
          <h1>{visible(known?.title ?? known?.name ?? uri)}</h1>
          <div className="row small muted">
            <code>{visible(uri)}</code>
            <span>of {visible(server.spec.name)}</span>
            {known?.mimeType !== undefined && <span className="badge">{visible(known.mimeType)}</span>}
            {known?.size !== undefined && <span className="badge">{size(known.size)}</span>}
          </div>
        </div>
        {known?.description !== undefined && <p>{visible(known.description)}</p>}
        <div className="row">
          <button type="button" className="button primary" onClick={() => void read(uri)}>
            Read again
          </button>
          <SaveCall server={server.id} operation={{ method: 'resources/read', uri }} outcome={call?.outcome} />
          <WatchButton server={server} uri={uri} />
          {hasChanged && (
            <span className="badge accent" role="status">
              changed since it was read
            </span>
          )}
        </div>
      </header>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <ResultRoom>
        {call !== undefined && <CallPanel call={call}>{(result) => <Contents result={result} />}</CallPanel>}
      </ResultRoom>
      <SideBySide server={server} operation={{ method: 'resources/read', uri }}>
        {(result) => <Contents result={result} />}
      </SideBySide>
    </div>
  )
}

/** The contents of a resource. */
export function Contents({ result }: { result: JsonObject }): JSX.Element {
  const { contents } = result as unknown as ReadResourceResult
  const list = Array.isArray(contents) ? contents : []
  return (
    <>
      {list.map((part, index) => (
        <ContentsView key={String(index)} contents={part} />
      ))}
      {list.length === 0 && <p className="muted">The resource is empty.</p>}
    </>
  )
}

function WatchButton({ server, uri }: { server: ServerView; uri: string }): JSX.Element | null {
  const { busy, problem, start } = useBusy()
  const isWatched = server.watched.includes(uri)
  if (server.capabilities?.resources?.subscribe !== true && !isWatched) return null
  const toggle = (): Promise<void> =>
    start(() => run(isWatched ? 'resource.unwatch' : 'resource.watch', { server: server.id, uri }))
  return (
    <>
      <button type="button" className="button" aria-pressed={isWatched} disabled={busy} onClick={() => void toggle()}>
        {isWatched ? 'Watching' : 'Watch'}
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}
