import { type OnDemand, onDemand } from '../../on-demand.ts'
import type * as handlers from './handlers.ts'

/** Resources, prompts and completion are loaded with the first request for one: many servers have tools alone. */
export const lazyHandlers: OnDemand<typeof handlers> = onDemand(() => import('./handlers.ts'))
