import type { JsonObject } from '@tenon/sdk/client'
import { type JSX, useEffect, useState } from 'react'
import type { Outcome, TimelineEntry } from '../../src/protocol.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { SaveCall } from '../saved/save-call.tsx'
import { expectationOf, toOperation, toSource } from '../saved/source.ts'
import { run } from '../state/api.ts'
import { requestOf } from './request-of.ts'
import { useSource } from './source.ts'

/** Requests of the handshake are no calls. */
const handshake: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

/** A request with its answer, as a saved call: to be put into a file here, or elsewhere. */
export function KeepCall({ entry, server }: { entry: TimelineEntry; server: string | undefined }): JSX.Element | null {
  const outcome = useAnswer(entry)
  const request = requestOf(entry)
  if (request === undefined || handshake.has(request.method)) return null
  const operation = toOperation(request.method, request.params)
  // JSON is YAML too: the line can stand below `calls:` as it is.
  const line = (): string =>
    `- ${JSON.stringify({ ...toSource(operation), expect: expectationOf(operation, outcome, false) })}\n`
  return (
    <>
      <CopyButton text={line} label="Copy as saved call" />
      <SaveCall className="button small quiet" server={server} operation={operation} outcome={outcome} />
    </>
  )
}

/** The outcome of a request, from the message that answers it. */
function useAnswer({ kind, pair, durationMs = 0 }: TimelineEntry): Outcome | undefined {
  const source = useSource()
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (kind !== 'request' || pair === undefined) return
    let isWanted = true
    run('timeline.get', { id: pair, ...source }).then(
      ({ payload }) => isWanted && setOutcome(toOutcome(payload, durationMs)),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [kind, pair, durationMs, source])
  return outcome
}

function toOutcome(payload: unknown, durationMs: number): Outcome | undefined {
  const { result, error } = payload as { result?: JsonObject; error?: { code: number; message: string } }
  const shared = { durationMs, warnings: [] }
  if (result !== undefined) return { ...shared, kind: 'result', result }
  if (error === undefined) return undefined
  return { ...shared, kind: 'problem', problem: { kind: 'protocol', code: error.code, message: error.message } }
}
