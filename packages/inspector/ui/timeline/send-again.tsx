import { type JSX, useId, useState } from 'react'
import type { ServerView, TimelineEntry } from '../../src/protocol.ts'
import { ValueView } from '../content/text-view.tsx'
import { type Draft, draftOf, readObjectDraft } from '../form/draft.ts'
import { JsonInput } from '../form/json-input.tsx'
import { readExactJsonObject } from '../form/read-json.ts'
import { CallPanel } from '../parts/call-panel.tsx'
import { NothingSent } from '../parts/nothing-sent.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { requestOf } from './request-of.ts'

/** A request once more, with parameters that may be changed first. Nothing is checked: servers have to cope with anything. */
export function SendAgain({ entry, server }: { entry: TimelineEntry; server: ServerView }): JSX.Element | null {
  const id = useId()
  const request = requestOf(entry)
  const [draft, setDraft] = useState<Draft>(() => draftOf(request?.params ?? {}))
  const [tried, setTried] = useState(false)
  const [callId, setCallId] = useState<string>()
  const { busy, problem, start } = useBusy()
  const call = useBench((bench) => (callId === undefined ? undefined : bench.calls.get(callId)))
  if (request === undefined || request.method === 'initialize') return null
  const { value: params, problems } = readObjectDraft(draft)
  const send = async (): Promise<void> => {
    setTried(true)
    if (params === undefined) return
    const operation = { method: 'request' as const, name: request.method, params }
    await start(async () => setCallId((await run('call.start', { server: server.id, operation })).call))
  }
  return (
    <details className="send-again">
      <summary>Change and send again</summary>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <JsonInput
          id={id}
          label={`Parameters of ${request.method}`}
          rows={8}
          value={draft}
          change={(next) => setDraft(draftOf(next))}
          read={readExactJsonObject}
        />
        <button type="submit" className="button primary" disabled={busy || server.status !== 'connected'}>
          Send
        </button>
        {tried && <NothingSent problems={problems} />}
      </form>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {call !== undefined && <CallPanel call={call}>{(result) => <ValueView value={result} />}</CallPanel>}
    </details>
  )
}
