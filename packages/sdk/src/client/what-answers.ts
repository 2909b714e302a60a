import { type OnDemand, onDemand } from '../on-demand.ts'
import type * as answering from './answering.ts'

/** What answers the server's questions is loaded with the first one: most servers ask nothing. */
export const whatAnswers: OnDemand<typeof answering> = onDemand(() => import('./answering.ts'))
