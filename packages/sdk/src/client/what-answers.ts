import { type LazyModule, lazyModule } from '../internal/lazy-module.ts'
import type * as answering from './answering.ts'

/** What answers the server's questions is loaded with the first one: most servers ask nothing. */
export const whatAnswers: LazyModule<typeof answering> = lazyModule(() => import('./answering.ts'))
