import type { GetPromptResult, JsonObject, Prompt } from '@tenon/sdk/client'
import type { JSX } from 'react'
import type { Operation, ServerView } from '../../src/protocol.ts'
import { SideBySide } from '../compare/side-by-side.tsx'
import { ContentList } from '../content/content-view.tsx'
import { visible } from '../content/visible.ts'
import { LintDetails } from '../lint/lint-details.tsx'
import { CallColumns, NoResult } from '../parts/call-columns.tsx'
import { CallPanel } from '../parts/call-panel.tsx'
import { CompletedInput } from '../parts/completed-input.tsx'
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

/** One prompt: its arguments, and the messages that it makes of them. */
export function PromptPage({ server, prompt }: { server: ServerView; prompt: Prompt }): JSX.Element {
  const place = `prompt ${server.id} ${prompt.name}`
  const [values, setValues] = useKept<{ [name: string]: string }>(`${place} arguments`, () => ({}))
  const [callId, setCallId] = useKept<string | undefined>(`${place} call`, () => undefined)
  const { busy, problem, start } = useBusy()
  const call = useBench((bench) => (callId === undefined ? undefined : bench.calls.get(callId)))
  const operation: Operation = {
    method: 'prompts/get',
    name: prompt.name,
    arguments: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
  }
  const get = (): Promise<void> =>
    start(async () => {
      setCallId((await run('call.start', { server: server.id, operation })).call)
    })
  useSubmitKey(() => void get())
  return (
    <CallColumns
      form={
        <>
          <header className="stack">
            <a className="button small back-link" href={hrefTo('prompts')}>
              ← All prompts
            </a>
            <div>
              <h1>{visible(prompt.title ?? prompt.name)}</h1>
              <div className="row small muted">
                <code>{visible(prompt.name)}</code>
                <span>of {visible(server.spec.name)}</span>
              </div>
            </div>
            {prompt.description !== undefined && <p>{visible(prompt.description)}</p>}
          </header>
          <form
            className="card"
            onSubmit={(event) => {
              event.preventDefault()
              void get()
            }}
          >
            <div className="body form">
              {(prompt.arguments ?? []).map(({ name, title, description, required }) => (
                <CompletedInput
                  key={name}
                  label={title ?? name}
                  description={description}
                  required={required === true}
                  server={server}
                  reference={{ type: 'ref/prompt', name: prompt.name }}
                  name={name}
                  value={values[name] ?? ''}
                  change={(value) => setValues({ ...values, [name]: value })}
                  others={values}
                />
              ))}
              {(prompt.arguments ?? []).length === 0 && <p className="muted">Nothing to fill in.</p>}
            </div>
            <footer className="form-foot">
              <button type="submit" className="button primary" disabled={busy}>
                Get prompt
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
        <NoResult>The messages of the prompt are shown here.</NoResult>
      ) : (
        <ResultRoom>
          <CallPanel call={call}>{(result) => <Messages result={result} server={server.id} />}</CallPanel>
        </ResultRoom>
      )}
      <SideBySide server={server} operation={operation}>
        {(result, from) => <Messages result={result} server={from} />}
      </SideBySide>
      <LintDetails server={server.id} kind="prompt" name={prompt.name} />
    </CallColumns>
  )
}

function Messages({ result, server }: { result: JsonObject; server: string }): JSX.Element {
  const { messages, description } = result as unknown as GetPromptResult
  return (
    <>
      {description !== undefined && <p className="muted">{visible(description)}</p>}
      <ol className="stack messages">
        {(Array.isArray(messages) ? messages : []).map(({ role, content }, index) => (
          <li key={String(index)} className="message">
            <span className="badge">{visible(role)}</span>
            <div className="grow">
              <ContentList blocks={[content].flat()} server={server} />
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
