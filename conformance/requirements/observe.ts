import { afterEach, beforeEach } from 'vitest'
import type { Revision } from '../../packages/sdk/src/model/revision.ts'
import { type Spoken, takeSpoken, watchRevisions } from './spoken.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The observed revisions of the test. */
    spoken?: Spoken
    /** The revisions that the test declares: it runs beside others, or with processes. */
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
