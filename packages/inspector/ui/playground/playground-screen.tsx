import '../styles/playground.css'
import { type JSX, type RefObject, useEffect, useRef } from 'react'
import type { PlaygroundView } from '../../src/protocol.ts'
import { Empty } from '../parts/empty.tsx'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { offeredTools } from '../tools/tool-list.ts'
import { isAnswering } from './answers.ts'
import { Composer } from './composer.tsx'
import { ModelPicker } from './model-picker.tsx'
import { TurnView } from './turn-view.tsx'

/** A conversation with one model or two, which use the tools of the connected servers. */
export default function PlaygroundScreen(): JSX.Element {
  const playground = useBench((bench) => bench.playground)
  const scroll = useFollowed(playground)
  const answering = isAnswering(playground)
  return (
    <div className="playground">
      <header className="playground-head">
        <h1 className="grow">Playground</h1>
        {playground.turns.length > 0 && (
          <button type="button" className="button small" onClick={() => void run('playground.clear', {})}>
            New conversation
          </button>
        )}
        <ModelPicker playground={playground} disabled={answering} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard, too. */}
      <section ref={scroll} className="playground-scroll" aria-label="Conversation" tabIndex={0} aria-busy={answering}>
        {playground.turns.length === 0 && <Beginning />}
        {playground.turns.map((turn) => (
          <TurnView key={turn.id} turn={turn} disabled={answering} />
        ))}
      </section>
      <Composer answering={answering} />
    </div>
  )
}

function Beginning(): JSX.Element {
  const servers = useBench((bench) => bench.servers.filter(({ status }) => status === 'connected').length)
  const tools = useBench((bench) => offeredTools(bench).length)
  const canAdd = useBench((bench) => offeredTools(bench).some(({ tool }) => tool.name === 'add'))
  if (tools === 0) {
    return (
      <Empty title="No tools to use">
        <p>{servers === 0 ? 'No server is connected.' : 'The connected servers offer no tools.'}</p>
        <a className="button" href={hrefTo('add')}>
          Add a server
        </a>
      </Empty>
    )
  }
  const suggestions = ['What can you do?', ...(canAdd ? ['Please add 19 and 23'] : [])]
  return (
    <Empty title={`A model may use ${tools} ${tools === 1 ? 'tool' : 'tools'} here`}>
      <p>Each call is shown, and asks you first. The model “offline” is a script that needs no key.</p>
      <div className="row">
        {suggestions.map((text) => (
          <button key={text} type="button" className="button" onClick={() => void run('playground.send', { text })}>
            {text}
          </button>
        ))}
      </div>
    </Empty>
  )
}

/** Keeps the end in view while the answers grow, unless the person has scrolled up. */
function useFollowed(playground: PlaygroundView): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const node = element.current!
    const read = (): void => {
      isAtEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < 40
    }
    node.addEventListener('scroll', read, { passive: true })
    return () => node.removeEventListener('scroll', read)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the conversation.
  useEffect(() => {
    const node = element.current!
    if (isAtEnd.current) node.scrollTop = node.scrollHeight
  }, [playground])
  return element
}
