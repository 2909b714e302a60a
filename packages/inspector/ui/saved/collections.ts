import type { Collection } from '../../src/protocol.ts'
import { createShelf, type Shelf } from '../files/shelf.ts'
import { run } from '../state/api.ts'

const store = createShelf<Collection>(async () => {
  const { folder, collections } = await run('saved.list', {})
  return { folder, items: collections }
})

/** The files of saved calls. */
export const useCollections = (): Shelf<Collection> => store.useShelf()
export const keepCollection = (changed: Collection): void => store.keep(changed)
export const dropCollection = (id: string): void => store.drop(id)
