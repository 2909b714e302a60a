import type { ResourceTemplate } from '@tenon/sdk/client'
import { parseUriTemplate, type UriTemplate } from '@tenon/sdk/uri-template'
import { type JSX, useMemo } from 'react'
import type { Operation, ServerView } from '../../src/protocol.ts'
import { SideBySide } from '../compare/side-by-side.tsx'
import { visible } from '../content/visible.ts'
import { CallColumns, NoResult } from '../parts/call-columns.tsx'
import { CallPanel } from '../parts/call-panel.tsx'
import { CompletedInput } from '../parts/completed-input.tsx'
import { outcomeOf } from '../parts/outcome-of.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { ResultRoom } from '../parts/result-room.tsx'
import { useSubmitKey } from '../parts/use-submit-key.ts'
import { SaveCall } from '../saved/save-call.tsx'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { useKept } from '../state/use-kept.ts'
import { Contents, useReading } from './resource-page.tsx'

/** A template: its variables, with suggestions of the server, and the resource that they name. */
export function TemplatePage({ server, template }: { server: ServerView; template: ResourceTemplate }): JSX.Element {
  const parsed = useMemo(() => parse(template.uriTemplate), [template.uriTemplate])
  const place = `template ${server.id} ${template.uriTemplate}`
  const [values, setValues] = useKept<{ [name: string]: string }>(place, () => ({}))
  const { read, callId, busy, problem } = useReading(server.id)
  const call = useBench((bench) => (callId === undefined ? undefined : bench.calls.get(callId)))
  const uri = expand(parsed, values)
  const operation: Operation | undefined =
    uri.value === undefined ? undefined : { method: 'resources/read', uri: uri.value }
  useSubmitKey(() => {
    if (uri.value !== undefined) void read(uri.value)
  })
  return (
    <CallColumns
      form={
        <>
          <header className="stack">
            <a className="button small back-link" href={hrefTo('resources')}>
              ← All resources
            </a>
            <div>
              <h1>{visible(template.title ?? template.name)}</h1>
              <div className="row small muted">
                <code>{visible(template.uriTemplate)}</code>
                <span>of {visible(server.spec.name)}</span>
              </div>
            </div>
            {template.description !== undefined && <p>{visible(template.description)}</p>}
          </header>
          <form
            className="card"
            onSubmit={(event) => {
              event.preventDefault()
              if (uri.value !== undefined) void read(uri.value)
            }}
          >
            <div className="body form">
              {parsed.template?.variables.map((name) => (
                <CompletedInput
                  key={name}
                  label={name}
                  server={server}
                  reference={{ type: 'ref/resource', uri: template.uriTemplate }}
                  name={name}
                  value={values[name] ?? ''}
                  change={(value) => setValues({ ...values, [name]: value })}
                  others={values}
                />
              ))}
              {uri.value !== undefined && <p className="mono address">{visible(uri.value)}</p>}
              {uri.problem !== undefined && (
                <p className="issue small" role="alert">
                  {visible(uri.problem)}
                </p>
              )}
            </div>
            <footer className="form-foot">
              <button type="submit" className="button primary" disabled={busy || uri.value === undefined}>
                Read
              </button>
              {call !== undefined && (
                <SaveCall server={server.id} operation={operation} outcome={outcomeOf(call, operation)} />
              )}
            </footer>
          </form>
        </>
      }
    >
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {call === undefined ? (
        <NoResult>The resource is shown here.</NoResult>
      ) : (
        <ResultRoom>
          <CallPanel call={call}>{(result) => <Contents result={result} />}</CallPanel>
        </ResultRoom>
      )}
      <SideBySide server={server} operation={operation}>
        {(result) => <Contents result={result} />}
      </SideBySide>
    </CallColumns>
  )
}

interface Parsed {
  template?: UriTemplate
  problem?: string
}

function parse(text: string): Parsed {
  try {
    return { template: parseUriTemplate(text) }
  } catch (error) {
    return { problem: `This template cannot be read: ${(error as Error).message}` }
  }
}

/** The URI that the values make, or why they make none: half of a surrogate pair cannot be written in one. */
function expand(
  { template, problem }: Parsed,
  values: { [name: string]: string },
): { value?: string; problem?: string } {
  if (template === undefined) return { problem: problem ?? '' }
  try {
    return { value: template.expand(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}
