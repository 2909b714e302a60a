import { type JSX, lazy, Suspense } from 'react'
import { Contained } from '../parts/contained.tsx'
import { PromptsScreen } from '../prompts/prompts-screen.tsx'
import { QuestionsScreen } from '../questions/questions-screen.tsx'
import { ResourcesScreen } from '../resources/resources-screen.tsx'
import { SavedScreen } from '../saved/saved-screen.tsx'
import { AddServer } from '../servers/add-server.tsx'
import { ServerPage } from '../servers/server-page.tsx'
import { ServersScreen } from '../servers/servers-screen.tsx'
import { SessionsScreen } from '../sessions/sessions-screen.tsx'
import { StartScreen } from '../start/start-screen.tsx'
import type { Route } from '../state/route.ts'
import { TasksScreen } from '../tasks/tasks-screen.tsx'
import { TimelineScreen } from '../timeline/timeline-screen.tsx'
import { ToolsScreen } from '../tools/tools-screen.tsx'
import { useContentFocus } from './content-focus.ts'

// Loaded when they are opened: most visits are for something else.
const PlaygroundScreen = lazy(() => import('../playground/playground-screen.tsx'))
const EvalsScreen = lazy(() => import('../evals/evals-screen.tsx'))

/** Screens that fill the room themselves; the others are columns that scroll. */
const full: ReadonlySet<string> = new Set([
  'tools',
  'resources',
  'prompts',
  'playground',
  'evals',
  'timeline',
  'saved',
  'sessions',
  'tasks',
])

/** The screen of a route. A new screen is a line here, and one in the rail. */
export function Screen({ route }: { route: Route }): JSX.Element {
  useContentFocus(route)
  return (
    <main className={full.has(route.screen) ? 'screen full' : 'screen'} tabIndex={-1}>
      <Contained place={route}>{show(route.screen, route.parts)}</Contained>
    </main>
  )
}

function show(screen: string, [first, second]: string[]): JSX.Element {
  switch (screen) {
    case 'tools':
      return <ToolsScreen server={first} name={second} />
    case 'resources':
      return <ResourcesScreen server={first} uri={second} />
    case 'prompts':
      return <PromptsScreen server={first} name={second} />
    case 'playground':
      return (
        <Suspense fallback={<p className="visually-hidden">Loading…</p>}>
          <PlaygroundScreen />
        </Suspense>
      )
    case 'evals':
      return (
        <Suspense fallback={<p className="visually-hidden">Loading…</p>}>
          <EvalsScreen id={first} index={second} />
        </Suspense>
      )
    case 'questions':
      return <QuestionsScreen />
    case 'timeline':
      return <TimelineScreen />
    case 'tasks':
      return <TasksScreen server={first} id={second} />
    case 'saved':
      return <SavedScreen id={first} index={second} />
    case 'sessions':
      return <SessionsScreen id={first} part={second} />
    case 'servers':
      return first ? <ServerPage id={first} part={second} /> : <ServersScreen />
    case 'add':
      return <AddServer way={first} />
    default:
      return <StartScreen />
  }
}
