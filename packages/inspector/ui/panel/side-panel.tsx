import { type JSX, useState } from 'react'
import type { Question } from '../../src/protocol.ts'
import { Icon } from '../parts/icon.tsx'
import { panes, Splitter } from '../parts/splitter.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { useChoice } from '../state/look.ts'
import { useRoute } from '../state/route.ts'
import { PanelLog, PanelMessages, PanelOutput } from './panel-views.tsx'
import { QuestionView, waits } from './question-view.tsx'
import { ScopeChoice, useScope } from './scope.tsx'
import { usePlace } from './use-place.ts'
import { usePanelQuestions } from './use-questions.ts'
import { type PanelPlace, useRoom } from './use-room.ts'

const views = ['messages', 'log', 'output'] as const
type View = (typeof views)[number] | 'questions'

const labels = { messages: 'Messages', log: 'Log', output: 'Output' } as const
const icons = { messages: 'timeline', log: 'log', output: 'command' } as const

/** Beside or below every page: the live messages, the log and the output of its server, and the questions that wait. */
export function SidePanel(): JSX.Element {
  const room = useRoom()
  const { screen } = useRoute()
  const questions = usePanelQuestions()
  const [put, putAway] = useState<string>()
  const [chosen, choose] = useChoice('panel-view', views)
  const [first] = questions
  const asks = first !== undefined && put !== first.id
  // The timeline is all messages already.
  const offered = views.filter((view) => view !== 'messages' || screen !== 'timeline')
  const view: View = asks ? 'questions' : (offered.find((known) => known === chosen) ?? 'log')
  const open = (next: View): void => {
    putAway(next === 'questions' ? undefined : first?.id)
    if (next === 'questions') return
    choose(next)
    room.setOpen(true)
  }
  const close = (): void => {
    putAway(first?.id)
    if (!asks) room.setOpen(false)
  }
  if (!asks && !room.isOpen) return <ClosedPanel offered={offered} questions={questions} open={open} />
  const tabs: Tab<View>[] = [
    ...(first === undefined ? [] : [{ name: 'questions' as const, label: <QuestionsLabel questions={questions} /> }]),
    ...offered.map((name) => ({ name, label: labels[name] })),
  ]
  return (
    <aside className="side-panel" data-place={room.place} aria-label={asks ? 'A server asks' : 'Panel'}>
      <Splitter
        pane={room.place === 'beside' ? panes.beside : panes.below}
        resizes="after"
        isFlat={room.place === 'below'}
      />
      <OpenPanel
        tabs={tabs}
        view={view}
        open={open}
        room={room}
        close={close}
        question={asks ? first : undefined}
        count={questions.length}
      />
    </aside>
  )
}

interface OpenProps {
  tabs: Tab<View>[]
  view: View
  open: (view: View) => void
  room: ReturnType<typeof useRoom>
  close: () => void
  /** Shown instead of everything else. */
  question: Question | undefined
  count: number
}

function OpenPanel({ tabs, view, open, room, close, question, count }: OpenProps): JSX.Element {
  const place = usePlace()
  const [scope, setScope] = useScope(place, view === 'messages')
  const buttons = (
    <>
      {question === undefined && (
        <ScopeChoice place={place} scope={scope} choose={setScope} isOfMessages={view === 'messages'} />
      )}
      {room.setPlace !== undefined && <PlaceButton place={room.place} setPlace={room.setPlace} />}
      <button type="button" className="button small quiet icon" aria-label="Close the panel" onClick={close}>
        <Icon name="close" />
      </button>
    </>
  )
  return (
    <Tabs label="Panel" tabs={tabs} chosen={view} choose={open} buttons={buttons}>
      {question !== undefined && <QuestionView key={question.id} question={question} count={count} later={close} />}
      {view === 'messages' && <PanelMessages scope={scope} />}
      {view === 'log' && <PanelLog scope={scope} />}
      {view === 'output' && <PanelOutput scope={scope} />}
    </Tabs>
  )
}

function PlaceButton({ place, setPlace }: { place: PanelPlace; setPlace: (place: PanelPlace) => void }): JSX.Element {
  const other = place === 'beside' ? 'below' : 'beside'
  const words = other === 'beside' ? 'Put the panel beside the page' : 'Put the panel below the page'
  return (
    <button
      type="button"
      className="button small quiet icon"
      aria-label={words}
      title={words}
      onClick={() => setPlace(other)}
    >
      <Icon name={other === 'beside' ? 'panelBeside' : 'panelBelow'} />
    </button>
  )
}

function QuestionsLabel({ questions }: { questions: readonly Question[] }): JSX.Element {
  return (
    <>
      Questions <span className="badge accent">{questions.length}</span>
    </>
  )
}

interface ClosedProps {
  offered: readonly Exclude<View, 'questions'>[]
  questions: readonly Question[]
  open: (view: View) => void
}

/** A line with the names of the views. */
function ClosedPanel({ offered, questions, open }: ClosedProps): JSX.Element {
  return (
    <aside className="side-panel closed" aria-label="Panel">
      {offered.map((name) => (
        <button
          key={name}
          type="button"
          className="button small quiet"
          aria-expanded="false"
          onClick={() => open(name)}
        >
          <Icon name={icons[name]} />
          {labels[name]}
        </button>
      ))}
      <span className="grow" />
      {questions.length > 0 && (
        <button type="button" className="button small primary" onClick={() => open('questions')}>
          <Icon name="questions" />
          {waits(questions.length)}
        </button>
      )}
    </aside>
  )
}
