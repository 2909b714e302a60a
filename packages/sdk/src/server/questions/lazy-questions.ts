import { type LazyModule, lazyModule } from '../../internal/lazy-module.ts'
import type * as asking from './questions.ts'

/** The questions module is loaded with the first question: most handlers ask nothing. */
export const lazyQuestions: LazyModule<typeof asking> = lazyModule(() => import('./questions.ts'))
