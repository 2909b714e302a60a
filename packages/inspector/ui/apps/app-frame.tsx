import { appUriOf, type ContainerDimensions, type DisplayMode } from '@tenon/sdk/apps/host'
import type { Tool } from '@tenon/sdk/client'
import { type CSSProperties, type JSX, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { AppViolation, Call } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useShownTheme } from '../state/shown-theme.ts'
import { useBench } from '../state/store.ts'
import { type AppSetup, contextFor, insetsOf } from './app-setup.ts'
import { NoteList, ViolationList } from './note-list.tsx'
import { SetupBar } from './setup-bar.tsx'
import { type AppWish, useApp } from './use-app.ts'

interface Props {
  call: Call
  tool: Tool
  /** Which of two views of the same call it is. */
  which: 'First view' | 'Second view'
  setup: AppSetup
  change: (setup: AppSetup) => void
  mode: DisplayMode
  setMode: (mode: DisplayMode) => void
}

const noViolations: readonly AppViolation[] = []

/** A view in its surroundings, with its wishes, its violations and its messages. */
export function AppFrame({ call, tool, which, setup, change, mode, setMode }: Props): JSX.Element {
  const [isOutsideAllowed, allowOutside] = useState(false)
  const room = useRef<HTMLDivElement>(null)
  const free = useFreeRoom(room, mode === 'fullscreen')
  const theme = useShownTheme()
  const context = useMemo(() => contextFor(setup, theme, mode, free), [setup, theme, mode, free])
  const title = which === 'First view' ? appUriOf(tool)! : `${appUriOf(tool)}, second view`
  const app = useApp({ call, tool, title, isOutsideAllowed, context, setMode })
  const { container, view = '', notes, origins, wish, modes, problem } = app
  const violations = useBench((bench) => bench.violations.get(view)) ?? noViolations
  return (
    <article className="app-column stack" aria-label={which}>
      <SetupBar setup={setup} change={change} />
      {origins.length > 0 && (
        <div className="notice warn">
          <strong>{isOutsideAllowed ? 'The view may reach' : 'The view would like to reach'}</strong>
          <span>{visible(origins.join(', '))}</span>
          <button type="button" className="button small" onClick={() => allowOutside(!isOutsideAllowed)}>
            {isOutsideAllowed ? 'Forbid it' : 'Allow it'}
          </button>
        </div>
      )}
      {wish !== undefined && <WishNotice wish={wish} />}
      {mode !== 'inline' && modes !== undefined && !modes.includes(mode) && (
        <p className="small muted">The view does not know this mode, and is not told of it.</p>
      )}
      <div ref={room} className="app-room">
        <div className="app-frame" data-device={setup.device} style={edgesOf(setup)}>
          <div ref={container} />
          {setup.safeArea !== 'none' && <div className="app-edges" aria-hidden="true" />}
        </div>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <ViolationList violations={violations} />
      <NoteList notes={notes} />
    </article>
  )
}

/** The edges of the safe area, for the style sheet. */
function edgesOf(setup: AppSetup): CSSProperties {
  const { top, right, bottom, left } = insetsOf(setup)
  return { '--edges': `${top}px ${right}px ${bottom}px ${left}px` } as CSSProperties
}

/** The size of an element, while it is the whole room of a view. */
function useFreeRoom(room: RefObject<HTMLDivElement | null>, isWatched: boolean): ContainerDimensions {
  const [size, setSize] = useState<ContainerDimensions>({})
  useEffect(() => {
    if (!isWatched || room.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      setSize({ width: Math.floor(width), height: Math.floor(height) })
    })
    observer.observe(room.current)
    return () => observer.disconnect()
  }, [room, isWatched])
  return size
}

const modeWords: { [mode in DisplayMode]: string } = {
  inline: 'its place in the page',
  fullscreen: 'the full screen',
  pip: 'a floating window',
}

function WishNotice({ wish: { href, mode, decide } }: { wish: AppWish }): JSX.Element {
  return (
    <div className="notice">
      <strong>
        {mode === undefined ? 'The view wants to open a page' : `The view would like to have ${modeWords[mode]}`}
      </strong>
      {href !== undefined && <code>{visible(href)}</code>}
      <div className="row">
        {href === undefined ? (
          <button type="button" className="button small" onClick={() => decide(true)}>
            Let it
          </button>
        ) : (
          <a
            className="button small"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => decide(true)}
          >
            Open the page
          </a>
        )}
        <button type="button" className="button small" onClick={() => decide(false)}>
          Refuse
        </button>
      </div>
    </div>
  )
}
