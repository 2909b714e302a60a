import { type OnDemand, onDemand } from '../../on-demand.ts'
import type * as asking from './questions.ts'

/** The questions module is loaded with the first question: most handlers ask nothing. */
export const lazyQuestions: OnDemand<typeof asking> = onDemand(() => import('./questions.ts'))
