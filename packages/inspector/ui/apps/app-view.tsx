import { appUriOf, type DisplayMode } from '@tenon/sdk/apps/host'
import type { Tool } from '@tenon/sdk/client'
import { type JSX, useRef, useState } from 'react'
import type { Call } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { Segments } from '../parts/segments.tsx'
import { useBench } from '../state/store.ts'
import { useKept } from '../state/use-kept.ts'
import { AppFrame } from './app-frame.tsx'
import { type AppSetup, usualSetup } from './app-setup.ts'
import { useTopLayer } from './top-layer.ts'

const modes: readonly { name: DisplayMode; label: string }[] = [
  { name: 'inline', label: 'In the page' },
  { name: 'fullscreen', label: 'Full screen' },
  { name: 'pip', label: 'Floating' },
]

/** The view that a server sends along with a tool, in its sandbox: once, or twice in different surroundings. */
export function AppView({ call, tool }: { call: Call; tool: Tool }): JSX.Element {
  const [setups, setSetups] = useKept<readonly AppSetup[]>(`view ${call.server} ${tool.name}`, () => [usualSetup])
  const [mode, setMode] = useState<DisplayMode>('inline')
  const section = useRef<HTMLElement>(null)
  useTopLayer(section, {
    isOver: mode !== 'inline',
    coversAll: mode === 'fullscreen',
    leave: () => setMode('inline'),
  })
  const [first = usualSetup, second] = setups
  const beside: AppSetup = { ...first, theme: first.theme === 'dark' ? 'light' : 'dark' }
  return (
    <section ref={section} className={`card app-view ${mode}`} aria-label="View">
      <header>
        <h2>View</h2>
        <code className="small muted grow">{visible(appUriOf(tool) ?? '')}</code>
        <span className="badge">made by the server</span>
        <button
          type="button"
          className="button small"
          aria-pressed={second !== undefined}
          title="The same view twice, each in its own surroundings"
          onClick={() => setSetups(second === undefined ? [first, beside] : [first])}
        >
          Side by side
        </button>
        <Segments label="Place of the view" options={modes} chosen={mode} choose={setMode} />
        {mode !== 'inline' && <WaitingQuestion leave={() => setMode('inline')} />}
      </header>
      <div className="body app-columns">
        <AppFrame
          call={call}
          tool={tool}
          which="First view"
          setup={first}
          change={(setup) => setSetups(([, other]) => (other === undefined ? [setup] : [setup, other]))}
          mode={mode}
          setMode={setMode}
        />
        {second !== undefined && (
          <AppFrame
            call={call}
            tool={tool}
            which="Second view"
            setup={second}
            change={(setup) => setSetups(([other = usualSetup]) => [other, setup])}
            mode={mode}
            setMode={setMode}
          />
        )}
      </div>
    </section>
  )
}

/** A question would not be seen behind a view that covers the page. */
function WaitingQuestion({ leave }: { leave: () => void }): JSX.Element | null {
  const count = useBench((bench) => bench.questions.length)
  if (count === 0) return null
  return (
    <button type="button" className="button small primary" onClick={leave}>
      Answer a question
    </button>
  )
}
