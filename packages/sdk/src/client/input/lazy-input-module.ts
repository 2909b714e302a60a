import { type OnDemand, onDemand } from '../../on-demand.ts'
import type * as answering from './input-module.ts'

/** What answers the server's questions is loaded with the first one: most servers ask nothing. */
export const inputModule: OnDemand<typeof answering> = onDemand(() => import('./input-module.ts'))
