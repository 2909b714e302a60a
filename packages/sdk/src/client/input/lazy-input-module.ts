import { type OnDemand, onDemand } from '../../on-demand.ts'
import type * as answering from './input-module.ts'

/** The input modules are loaded with the first input request: most servers send none. */
export const inputModule: OnDemand<typeof answering> = onDemand(() => import('./input-module.ts'))
