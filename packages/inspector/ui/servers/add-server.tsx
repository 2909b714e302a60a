import { type JSX, useId, useState } from 'react'
import type { FoundServers } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { CodeEditor } from '../editor/code-editor.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { KeptProblems } from './kept-problems.tsx'
import { ReferenceServers } from './reference-servers.tsx'
import { emptyDraft, toSpec } from './spec-draft.ts'
import { SpecForm } from './spec-form.tsx'
import { targetLine } from './status-words.ts'
import { useShow } from './use-show.ts'

type Way = 'command' | 'url' | 'paste' | 'import' | 'reference'

const ways: readonly Tab<Way>[] = [
  { name: 'command', label: 'Command' },
  { name: 'url', label: 'URL' },
  { name: 'paste', label: 'Paste' },
  { name: 'import', label: 'Import' },
  { name: 'reference', label: 'Ready-made' },
]

/** Adds a server: by its command, its URL, some JSON, from the settings of another application, or a reference server. */
export function AddServer({ way: wanted }: { way: string | undefined }): JSX.Element {
  const way = ways.find(({ name }) => name === wanted)?.name ?? 'command'
  return (
    <div className="column stack wide">
      <header>
        <h1>Add a server</h1>
        <p className="muted">Any number of servers can be connected at the same time.</p>
      </header>
      <KeptProblems />
      <Tabs label="How to add it" tabs={ways} chosen={way} choose={(name) => goTo('add', name)}>
        <div className="tab-body">
          {(way === 'command' || way === 'url') && <ByForm key={way} kind={way} />}
          {way === 'paste' && <ByPaste />}
          {way === 'import' && <ByImport />}
          {way === 'reference' && <ReferenceServers />}
        </div>
      </Tabs>
    </div>
  )
}

function ByForm({ kind }: { kind: 'command' | 'url' }): JSX.Element {
  const [draft, setDraft] = useState({ ...emptyDraft, kind })
  const [tried, setTried] = useState(false)
  const show = useShow()
  const { busy, problem, start } = useBusy()
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        const read = toSpec(draft)
        if (read.problems === undefined) void start(() => show(run('server.add', { spec: read.spec })))
      }}
    >
      <div className="body">
        <SpecForm draft={draft} change={(next) => setDraft({ ...next, kind })} tried={tried} />
      </div>
      {problem !== undefined && (
        <div className="body">
          <ProblemNotice problem={problem} />
        </div>
      )}
      <footer className="form-foot">
        <button type="submit" className="button primary" disabled={busy}>
          Connect
        </button>
      </footer>
    </form>
  )
}

/** Servers from a text of any kind. */
export function ByPaste(): JSX.Element {
  const id = useId()
  const [text, setText] = useState('')
  const [found, setFound] = useState<FoundServers>()
  const { busy, problem, start } = useBusy()
  return (
    <div className="stack">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault()
          void start(async () => setFound(await run('config.parse', { text })))
        }}
      >
        <div className="body field">
          <label className="field-label" htmlFor={id}>
            Settings of another application, an install link, a URL or a command
          </label>
          <CodeEditor
            id={id}
            language="text"
            rows={8}
            text={text}
            placeholder={'{ "mcpServers": { "files": { "command": "npx", "args": ["…"] } } }'}
            change={(next) => {
              setText(next)
              setFound(undefined)
            }}
          />
        </div>
        <footer className="form-foot">
          <button type="submit" className="button primary" disabled={busy || text.trim() === ''}>
            Find servers
          </button>
        </footer>
      </form>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {found !== undefined && <FoundList found={found} />}
    </div>
  )
}

const findSettings = async (): Promise<FoundServers[]> => (await run('config.find', {})).found

function ByImport(): JSX.Element {
  const { value: sources, problem } = useLoaded(findSettings)
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (sources === undefined) return <p className="muted">Looking for settings of other applications…</p>
  if (sources.length === 0) {
    return <p className="muted">No settings of other applications were found on this computer. Paste them instead.</p>
  }
  return (
    <div className="stack">
      {sources.map((found) => (
        <FoundList key={`${found.source} ${found.path}`} found={found} />
      ))}
    </div>
  )
}

/** Servers that were found. None is started before a person says so. */
function FoundList({ found }: { found: FoundServers }): JSX.Element {
  const show = useShow()
  const { busy, problem, start } = useBusy()
  return (
    <section className="card" aria-label={found.source}>
      <header>
        <h2>{visibleLine(found.source)}</h2>
        {found.path !== undefined && <span className="small muted mono">{visibleLine(found.path)}</span>}
      </header>
      <ul className="body stack">
        {found.servers.map(({ key, spec }) => (
          <li key={key} className="row found-server">
            <div className="grow">
              <strong>{visibleLine(spec.name)}</strong>
              <div className="small muted mono">{visibleLine(targetLine({ spec }))}</div>
            </div>
            <button
              type="button"
              className="button"
              disabled={busy}
              onClick={() => void start(() => show(run('config.add', { key })))}
            >
              Connect
            </button>
          </li>
        ))}
        {found.problems.map((text) => (
          <li key={text} className="notice warn">
            {visibleLine(text)}
          </li>
        ))}
      </ul>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </section>
  )
}
