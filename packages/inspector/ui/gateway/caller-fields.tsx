import { type JSX, useId } from 'react'
import { useParam } from '../state/route.ts'
import type { Caller } from './answers.ts'
import { useAnswer } from './ask.ts'

/** The caller and the virtual server that a screen is about. They are a part of the address. */
interface Choice {
  readonly caller: { readonly id: string; readonly groups?: readonly string[] }
  readonly server: string
}

export function useCallerChoice(): Choice {
  const [caller] = useParam('caller')
  const [groups] = useParam('groups')
  const [server] = useParam('server')
  const names = (groups ?? '').split(',').map((name) => name.trim())
  return {
    caller: { id: caller ?? '', ...(groups && { groups: names.filter((name) => name !== '') }) },
    server: server ?? 'all',
  }
}

/** Fields for the caller, other groups to try, and the virtual server. */
export function CallerFields(): JSX.Element {
  const list = useId()
  const [caller, setCaller] = useParam('caller')
  const [groups, setGroups] = useParam('groups')
  const [server, setServer] = useParam('server')
  const callers = useAnswer<{ known: Caller[]; forms: string[] }>('callers', {}).answer
  const servers = useAnswer<string[]>('servers', {}).answer ?? ['all']
  const own = callers?.known.find(({ id }) => id === caller)?.groups ?? []
  return (
    <div className="caller-fields">
      <label className="field">
        <span className="field-label">Caller</span>
        <input
          className="input"
          list={list}
          data-search
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          placeholder={callers?.forms[0] ?? 'local'}
          value={caller ?? ''}
          onChange={(event) => setCaller(event.target.value)}
        />
        <datalist id={list}>
          {callers?.known.map(({ id, name }) => (
            <option key={id} value={id}>
              {name ?? id}
            </option>
          ))}
        </datalist>
      </label>
      <label className="field">
        <span className="field-label">Groups to try</span>
        <input
          className="input"
          autoComplete="off"
          spellCheck={false}
          placeholder={own.length === 0 ? 'none' : own.join(', ')}
          value={groups ?? ''}
          onChange={(event) => setGroups(event.target.value)}
        />
      </label>
      <label className="field">
        <span className="field-label">Virtual server</span>
        <select className="select" value={server ?? 'all'} onChange={(event) => setServer(event.target.value)}>
          {servers.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  )
}
