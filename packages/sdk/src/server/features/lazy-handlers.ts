import { type LazyModule, lazyModule } from '../../internal/lazy-module.ts'
import type * as handlers from './handlers.ts'

/** Resources, prompts and completion are loaded with the first request for one: many servers have tools alone. */
export const lazyHandlers: LazyModule<typeof handlers> = lazyModule(() => import('./handlers.ts'))
