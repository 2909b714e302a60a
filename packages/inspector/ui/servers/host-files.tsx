import { type JSX, useId, useState } from 'react'
import type { HostSnippet, ServerView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'

/** The entry of a server for the settings file of another application. */
export function HostFiles({ server }: { server: ServerView }): JSX.Element {
  const id = useId()
  const [snippets, setSnippets] = useState<readonly HostSnippet[]>()
  const [host, setHost] = useState('')
  const { problem, start } = useBusy()
  const load = (): Promise<void> =>
    start(async () => setSnippets((await run('server.snippets', { server: server.id })).snippets))
  const chosen = snippets?.find((snippet) => snippet.host === host) ?? snippets?.[0]
  return (
    <details className="card definition" onToggle={(event) => void (event.currentTarget.open && load())}>
      <summary>Use it in another application</summary>
      <div className="body stack">
        {problem !== undefined && <ProblemNotice problem={problem} />}
        {snippets !== undefined && chosen !== undefined && (
          <>
            <div className="row">
              <label htmlFor={id}>The entry for</label>
              <select
                id={id}
                className="select lint-provider"
                value={chosen.host}
                onChange={(event) => setHost(event.target.value)}
              >
                {snippets.map((snippet) => (
                  <option key={snippet.host} value={snippet.host}>
                    {snippet.title}
                  </option>
                ))}
              </select>
              {chosen.text !== undefined && <CopyButton text={chosen.text} />}
            </div>
            {chosen.link !== undefined && <InstallLink title={chosen.title} link={chosen.link} />}
            {chosen.text !== undefined && <pre className="plain-text mono">{visible(chosen.text)}</pre>}
            {chosen.lost.map((reason) => (
              <p key={reason} className="notice warn small">
                {visible(reason)}
              </p>
            ))}
            <p className="small muted">Secrets are not written: variables of the environment stand for them.</p>
          </>
        )}
      </div>
    </details>
  )
}

/** Installs the server in a host: here, or from a README. */
function InstallLink(props: { title: string; link: NonNullable<HostSnippet['link']> }): JSX.Element {
  const { title, link } = props
  return (
    <section className="row" aria-label="Install link">
      <a className="button small primary" href={link.url}>
        Install in {title}
      </a>
      <CopyButton text={link.url} label="Copy link" />
      <CopyButton text={link.markdown} label="Copy badge for a README" />
    </section>
  )
}
