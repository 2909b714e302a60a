import type { EvalSuite } from '../../src/protocol.ts'
import { createShelf, type Shelf } from '../files/shelf.ts'
import { run } from '../state/api.ts'

const store = createShelf<EvalSuite>(async () => {
  const { folder, suites } = await run('evals.list', {})
  return { folder, items: suites }
})

/** The title of a new file, until a person gives it another. */
export const newTitle = 'My cases'

/** The files of eval cases. */
export const useSuites = (): Shelf<EvalSuite> => store.useShelf()
export const keepSuite = (changed: EvalSuite): void => store.keep(changed)
export const dropSuite = (id: string): void => store.drop(id)
