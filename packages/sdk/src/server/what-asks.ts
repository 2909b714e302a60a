import { type OnDemand, onDemand } from '../on-demand.ts'
import type * as asking from './asking.ts'

/** What asks the client is loaded with the first question: most handlers ask nothing. */
export const whatAsks: OnDemand<typeof asking> = onDemand(() => import('./asking.ts'))
