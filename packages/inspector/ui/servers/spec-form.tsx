import { type JSX, useId, useState } from 'react'
import { useBench } from '../state/store.ts'
import { ClientFields } from './client-fields.tsx'
import { type SpecDraft, toSpec } from './spec-draft.ts'
import { TextField } from './text-field.tsx'

interface Props {
  draft: SpecDraft
  change: (draft: SpecDraft) => void
  /** Whether a person has tried to send it: before that, an empty field is not wrong. */
  tried: boolean
}

/** Fields that are shown at once if they are filled in. */
const moreFields = [
  'revision',
  'roots',
  'cwd',
  'maxMessage',
  'timeout',
  'prefer',
  'proxy',
  'ca',
  'host',
  'clientName',
  'without',
] as const

/** How to reach a server: the common fields first, the rest on request. */
export function SpecForm({ draft, change, tried }: Props): JSX.Element {
  const { problems } = toSpec(draft)
  const problemOf = (field: keyof SpecDraft): string | undefined =>
    tried || draft[field] !== '' ? problems?.get(field) : undefined
  const set = (part: Partial<SpecDraft>): void => change({ ...draft, ...part })
  const [more, setMore] = useState(moreFields.some((field) => draft[field].length > 0))
  return (
    <div className="form">
      {draft.kind === 'command' ? (
        <TextField
          label="Command"
          hint="The program and its arguments, as in a terminal. No shell is involved."
          value={draft.commandLine}
          problem={problemOf('commandLine')}
          set={(commandLine) => set({ commandLine })}
          placeholder="such as: npx -y @modelcontextprotocol/server-filesystem ."
          mono
        />
      ) : (
        <TextField
          label="URL"
          hint="http, https, ws or wss. Every transport and revision is tried."
          value={draft.url}
          // An address that is being typed is not wrong yet.
          problem={tried ? problemOf('url') : undefined}
          set={(url) => set({ url })}
          placeholder="such as: https://example.com/mcp"
          mono
        />
      )}
      <TextField label="Name" value={draft.name} set={(name) => set({ name })} placeholder="found by itself" />
      {draft.kind === 'command' ? (
        <TextField
          label="Environment variables"
          hint="NAME=value, one per line. Of this computer's own, only harmless ones such as PATH are passed on."
          value={draft.env}
          problem={problemOf('env')}
          set={(env) => set({ env })}
          rows={2}
          mono
        />
      ) : (
        <TextField
          label="Headers"
          hint="Name: value, one per line. With an Authorization header there is no sign-in."
          value={draft.headers}
          problem={problemOf('headers')}
          set={(headers) => set({ headers })}
          rows={2}
          mono
        />
      )}
      <details open={more} onToggle={(event) => setMore(event.currentTarget.open)}>
        <summary>More settings</summary>
        <div className="form more-settings">
          <RevisionField value={draft.revision} set={(revision) => set({ revision })} />
          <PreferField value={draft.prefer} set={(prefer) => set({ prefer })} />
          {draft.kind === 'command' ? (
            <TextField label="Working directory" value={draft.cwd} set={(cwd) => set({ cwd })} mono />
          ) : (
            <>
              <OAuthFields draft={draft} set={set} />
              <NetworkFields draft={draft} set={set} problemOf={problemOf} />
            </>
          )}
          <TextField
            label="Roots"
            hint="Folders that the server may know of, one path or file:// URI per line."
            value={draft.roots}
            problem={problemOf('roots')}
            set={(roots) => set({ roots })}
            rows={2}
            mono
          />
          <TextField
            label="Largest message"
            hint="In MiB: a longer answer of the server is refused."
            value={draft.maxMessage}
            problem={problemOf('maxMessage')}
            set={(maxMessage) => set({ maxMessage })}
            placeholder="16"
          />
          <TextField
            label="Timeout"
            hint="In seconds: a call without an answer, progress or question for longer fails."
            value={draft.timeout}
            problem={problemOf('timeout')}
            set={(timeout) => set({ timeout })}
            placeholder="60"
          />
          <ClientFields draft={draft} set={set} />
        </div>
      </details>
    </div>
  )
}

function RevisionField(props: {
  value: SpecDraft['revision']
  set: (value: SpecDraft['revision']) => void
}): JSX.Element {
  const id = useId()
  const revisions = useBench((bench) => bench.revisions)
  const choose = (name: string): void => props.set(revisions.find((known) => known === name) ?? '')
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Protocol revision
      </label>
      <select id={id} className="select" value={props.value} onChange={(event) => choose(event.target.value)}>
        <option value="">The newest that both sides know</option>
        {revisions.map((revision) => (
          <option key={revision}>{revision}</option>
        ))}
      </select>
    </div>
  )
}

function PreferField(props: { value: SpecDraft['prefer']; set: (value: SpecDraft['prefer']) => void }): JSX.Element {
  const id = useId()
  const choices = ['', 'newest', 'session'] as const
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Tried first
      </label>
      <select
        id={id}
        className="select"
        value={props.value}
        onChange={(event) => props.set(choices.find((choice) => choice === event.target.value) ?? '')}
      >
        <option value="">By experience with this server</option>
        <option value="newest">The newest revision</option>
        <option value="session">A session, if the server has any</option>
      </select>
    </div>
  )
}

function NetworkFields(props: {
  draft: SpecDraft
  set: (part: Partial<SpecDraft>) => void
  problemOf: (field: keyof SpecDraft) => string | undefined
}): JSX.Element {
  const { draft, set, problemOf } = props
  return (
    <>
      <TextField
        label="Proxy"
        hint="An http or https URL that requests to the server go through; signing in does not."
        value={draft.proxy}
        problem={problemOf('proxy')}
        set={(proxy) => set({ proxy })}
        placeholder="such as: http://127.0.0.1:8080"
        mono
      />
      <TextField
        label="Certificate authority"
        hint="The path of a PEM file with a certificate that is trusted besides the usual ones."
        value={draft.ca}
        problem={problemOf('ca')}
        set={(ca) => set({ ca })}
        mono
      />
    </>
  )
}

function OAuthFields({ draft, set }: { draft: SpecDraft; set: (part: Partial<SpecDraft>) => void }): JSX.Element {
  const id = useId()
  return (
    <>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Signing in
        </label>
        <select
          id={id}
          className="select"
          value={draft.oauth}
          onChange={(event) => set({ oauth: event.target.value === 'off' ? 'off' : 'auto' })}
        >
          <option value="auto">With OAuth, when the server asks for it</option>
          <option value="off">Never</option>
        </select>
      </div>
      {draft.oauth === 'auto' && (
        <>
          <TextField
            label="Client ID"
            hint="Of a client that the authorization server already knows, or the https URL of a document about one. Otherwise one is registered."
            value={draft.clientId}
            set={(clientId) => set({ clientId })}
            mono
          />
          <TextField
            label="Client secret"
            value={draft.clientSecret}
            set={(clientSecret) => set({ clientSecret })}
            secret
          />
          <TextField label="Scopes" value={draft.scopes} set={(scopes) => set({ scopes })} mono />
        </>
      )}
    </>
  )
}
