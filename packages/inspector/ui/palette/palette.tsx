import { type JSX, type KeyboardEvent, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { visibleLine } from '../content/visible.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { wantContentFocus } from '../shell/content-focus.ts'
import { search } from '../state/search.ts'
import { useBench } from '../state/store.ts'
import { type Action, actionsOf } from './actions.ts'

const shown = 50

/** The actions as they are now: a server may connect while the palette is open. */
function useActions(): Action[] {
  const servers = useBench((bench) => bench.servers)
  const catalogs = useBench((bench) => bench.catalogs)
  const questions = useBench((bench) => bench.questions)
  const tasks = useBench((bench) => bench.tasks)
  return useMemo(() => actionsOf({ servers, catalogs, questions, tasks }), [servers, catalogs, questions, tasks])
}

/** Leads anywhere by a few letters: screens, servers, tools, resources, prompts. */
export function Palette({ close }: { close: () => void }): JSX.Element {
  const id = useId()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const actions = useActions()
  const found = useMemo(
    () => search(actions, query, ({ title, about }) => [title, about]).slice(0, shown),
    [actions, query],
  )
  const go = ({ href, act }: Action): void => {
    // Now rather than when the page is drawn again: a dialog that is open keeps the focus.
    flushSync(close)
    if (act?.() || location.hash === href) return
    wantContentFocus()
    location.hash = href
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) {
      event.preventDefault()
      const next = Math.max(0, Math.min(found.length - 1, at + by))
      setAt(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
    const action = found[at]
    if (event.key === 'Enter' && action !== undefined) {
      event.preventDefault()
      go(action)
    }
  }
  return (
    <Dialog label="Go to" close={close}>
      <div className="palette">
        <input
          className="input"
          role="combobox"
          aria-label="Go to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          autoFocus
          placeholder="Go to a tool, a resource, a prompt, a server…"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={`${id}-list`} role="listbox" aria-label="Found" className="palette-list">
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input above.
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus.
            <div
              key={one.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              className="palette-item"
              onClick={() => go(one)}
            >
              <Icon name={one.icon} />
              <span className="grow">{visibleLine(one.title)}</span>
              <span className="small muted">{visibleLine(one.about)}</span>
            </div>
          ))}
          {found.length === 0 && <p className="muted pane-note">Nothing fits.</p>}
        </div>
      </div>
    </Dialog>
  )
}
