import { type LazyModule, lazyModule } from '../../internal/lazy-module.ts'
import type * as answering from './input-module.ts'

/** The input modules are loaded with the first input request: most servers send none. */
export const inputModule: LazyModule<typeof answering> = lazyModule(() => import('./input-module.ts'))
