import { type OnDemand, onDemand } from '../on-demand.ts'
import type * as handlers from './beside-tools.ts'

/** Resources, prompts and completion are loaded with the first request for one: many servers have tools alone. */
export const besideTools: OnDemand<typeof handlers> = onDemand(() => import('./beside-tools.ts'))
