import type { PlaygroundView, Question } from '../../src/protocol.ts'
import { showsAuthorization } from '../authorization/halt-notice.tsx'
import { toolUseFor } from '../playground/answers.ts'
import { type Route, useRoute } from '../state/route.ts'
import { useBench } from '../state/store.ts'

/** The open questions that the page itself does not show. */
export function usePanelQuestions(): Question[] {
  const open = useBench((bench) => bench.questions)
  const playground = useBench((bench) => bench.playground)
  const route = useRoute()
  return open.filter((question) => !isShownInPage(question, route, playground))
}

/**
 * The page of a task shows the questions of the task, a sign-in step by step shows its question as a step, and a conversation
 * shows those of its tool calls.
 */
function isShownInPage(question: Question, route: Route, playground: PlaygroundView): boolean {
  const { kind, server, task } = question
  if (route.screen === 'questions') return true
  if (route.screen === 'playground' && toolUseFor(question, playground) !== undefined) return true
  if (kind === 'authorization') return showsAuthorization(route, server)
  const [shownServer, shownTask] = route.screen === 'tasks' ? route.parts : []
  return task !== undefined && server === shownServer && task === shownTask
}
