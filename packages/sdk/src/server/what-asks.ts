import { type LazyModule, lazyModule } from '../internal/lazy-module.ts'
import type * as asking from './asking.ts'

/** What asks the client is loaded with the first question: most handlers ask nothing. */
export const whatAsks: LazyModule<typeof asking> = lazyModule(() => import('./asking.ts'))
