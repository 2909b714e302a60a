import { afterEach, beforeEach } from 'vitest'
import type { Revision } from '../../packages/sdk/src/model/revision.ts'
import { type Spoken, takeSpoken, watchRevisions } from './spoken.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Which revisions the test was seen to speak. */
    spoken?: Spoken
    /** Which revisions the test itself says that it speaks: it runs beside others, or with processes. */
    speaks?: readonly Revision[]
  }
}

watchRevisions()
beforeEach(() => {
  takeSpoken()
})
afterEach(({ task }) => {
  task.meta.spoken = takeSpoken()
})
