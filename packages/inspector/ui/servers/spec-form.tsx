import type { Revision } from '@tenon/sdk/client'
import { type JSX, useId, useState } from 'react'
import type { CommandSpec, ServerSpec, UrlSpec } from '../../src/protocol.ts'
import { Unread } from '../form/draft.ts'
import { useBench } from '../state/store.ts'
import { headers, type PairKind, readPairs, textOfPairs, variables } from './pair-lines.ts'
import { joinWords, splitWords } from './words.ts'

/** What stands in the form, as it was typed. */
export interface Draft {
  kind: ServerSpec['kind']
  name: string
  commandLine: string
  cwd: string
  url: string
  /** `NAME=value`, one per line. */
  env: string
  /** `Name: value`, one per line. */
  headers: string
  revision: Revision | ''
  roots: string
  oauth: 'auto' | 'off'
  clientId: string
  clientSecret: string
  scopes: string
}

export const emptyDraft: Draft = {
  kind: 'command',
  name: '',
  commandLine: '',
  cwd: '',
  url: '',
  env: '',
  headers: '',
  revision: '',
  roots: '',
  oauth: 'auto',
  clientId: '',
  clientSecret: '',
  scopes: '',
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** What is wrong with the fields of a draft. */
export type SpecProblems = ReadonlyMap<keyof Draft, string>

/** What the form stands for, or why it stands for nothing. */
export function toSpec(
  draft: Draft,
): { spec: CommandSpec | UrlSpec; problems?: undefined } | { problems: SpecProblems } {
  const problems = new Map<keyof Draft, string>()
  const pairs = (field: 'env' | 'headers', kind: PairKind): { [name: string]: string } => {
    const read = readPairs(draft[field], kind)
    if (!(read instanceof Unread)) return read
    problems.set(field, read.problem)
    return {}
  }
  const roots = linesOf(draft.roots).map((uri) => ({ uri }))
  const { revision } = draft
  const shared = { ...(revision && { revision }), ...(roots.length > 0 && { roots }) }
  const wrongRoot = linesOf(draft.roots).find((line) => !/^(?:file:\/\/|[~/\\]|[a-z]:[/\\])/i.test(line))
  if (wrongRoot !== undefined)
    problems.set('roots', `Expected a whole path, or a URI that begins with file://, got ${JSON.stringify(wrongRoot)}`)
  const spec =
    draft.kind === 'command'
      ? { ...shared, ...commandOf(draft, pairs('env', variables), problems) }
      : { ...shared, ...urlOf(draft, pairs('headers', headers), problems) }
  return problems.size === 0 ? { spec } : { problems }
}

type Texts = { [name: string]: string }

function commandOf({ name, commandLine, cwd }: Draft, env: Texts, problems: Map<keyof Draft, string>): CommandSpec {
  const words = splitWords(commandLine)
  if (words === undefined) problems.set('commandLine', 'A quote is not closed')
  const [command = '', ...args] = words ?? []
  if (words !== undefined && command === '') problems.set('commandLine', 'Say which program to start')
  return {
    kind: 'command',
    name: name || command.split(/[/\\]/).at(-1)! || 'server',
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== '' && { cwd }),
  }
}

const isServerUrl = (url: string): boolean => URL.canParse(url) && /^(?:https?|wss?):$/.test(new URL(url).protocol)

function urlOf(draft: Draft, sent: Texts, problems: Map<keyof Draft, string>): UrlSpec {
  const { name, url, clientId, clientSecret } = draft
  if (!isServerUrl(url.trim())) problems.set('url', 'Expected an http, https, ws or wss URL')
  const scopes = draft.scopes.split(/\s+/).filter(Boolean)
  const client = {
    ...(clientId !== '' && { clientId }),
    ...(clientSecret !== '' && { clientSecret }),
    ...(scopes.length > 0 && { scopes }),
  }
  return {
    kind: 'url',
    name: name || (URL.canParse(url) ? new URL(url).host : 'server'),
    url,
    ...(Object.keys(sent).length > 0 && { headers: sent }),
    ...(draft.oauth === 'off' ? { oauth: false } : Object.keys(client).length > 0 && { oauth: client }),
  }
}

/** A specification as it stands in the form. */
export function toDraft(spec: CommandSpec | UrlSpec): Draft {
  const shared: Draft = {
    ...emptyDraft,
    kind: spec.kind,
    name: spec.name,
    revision: spec.revision ?? '',
    roots: (spec.roots ?? []).map(({ uri }) => uri).join('\n'),
  }
  if (spec.kind === 'command') {
    const commandLine = joinWords([spec.command, ...(spec.args ?? [])])
    return { ...shared, commandLine, cwd: spec.cwd ?? '', env: textOfPairs(spec.env, variables) }
  }
  const { clientId = '', clientSecret = '', scopes = [] } = typeof spec.oauth === 'object' ? spec.oauth : {}
  return {
    ...shared,
    url: spec.url,
    headers: textOfPairs(spec.headers, headers),
    oauth: spec.oauth === false ? 'off' : 'auto',
    clientId,
    clientSecret,
    scopes: scopes.join(' '),
  }
}

interface Props {
  draft: Draft
  change: (draft: Draft) => void
  /** Whether somebody has tried to send it: before that, an empty field is not wrong. */
  tried: boolean
}

/** How to reach a server: what everybody needs first, the rest when it is wanted. */
export function SpecForm({ draft, change, tried }: Props): JSX.Element {
  const { problems } = toSpec(draft)
  const problemOf = (field: keyof Draft): string | undefined =>
    tried || draft[field] !== '' ? problems?.get(field) : undefined
  const set = (part: Partial<Draft>): void => change({ ...draft, ...part })
  const [more, setMore] = useState(draft.revision !== '' || draft.roots !== '' || draft.cwd !== '')
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
          hint="Name: value, one per line. With an Authorization header nobody has to sign in."
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
          {draft.kind === 'command' ? (
            <TextField label="Working directory" value={draft.cwd} set={(cwd) => set({ cwd })} mono />
          ) : (
            <OAuthFields draft={draft} set={set} />
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
        </div>
      </details>
    </div>
  )
}

function RevisionField(props: { value: Draft['revision']; set: (value: Draft['revision']) => void }): JSX.Element {
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

function OAuthFields({ draft, set }: { draft: Draft; set: (part: Partial<Draft>) => void }): JSX.Element {
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

interface TextFieldProps {
  label: string
  value: string
  set: (value: string) => void
  hint?: string
  /** Why the text stands for nothing. */
  problem?: string | undefined
  placeholder?: string
  rows?: number
  mono?: boolean
  secret?: boolean
}

function TextField({
  label,
  value,
  set,
  hint,
  problem,
  placeholder,
  mono,
  secret,
  ...props
}: TextFieldProps): JSX.Element {
  const id = useId()
  // A single line cannot show where a line ends.
  const rows = props.rows ?? (value.includes('\n') && !secret ? Math.min(8, value.split('\n').length) : undefined)
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const shared = {
    id,
    value,
    placeholder,
    spellCheck: false,
    autoComplete: 'off',
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': problem !== undefined || undefined,
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...shared}
          type={secret ? 'password' : 'text'}
          className={mono ? 'input mono' : 'input'}
          onChange={(event) => set(event.target.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          className={mono ? 'textarea mono short' : 'textarea short'}
          onChange={(event) => set(event.target.value)}
        />
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="issue small" role="alert">
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="small muted">
          {hint}
        </p>
      )}
    </div>
  )
}
