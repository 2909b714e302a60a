import type { ServerEntry } from '../config/model.ts'
import type { SecretPlace } from './secret-place.ts'

type Place = Pick<SecretPlace, 'store'>

/**
 * The key of an answer: the file, the input, and the program or address that gets it. A file that sends the answer somewhere
 * else has to ask for it again.
 */
function keyOf({ source, transport }: ServerEntry, id: string): string {
  const { file, path } = source
  const receiver = transport.kind === 'stdio' ? [transport.command, ...transport.args] : [transport.url]
  return `tenon input ${JSON.stringify([file, path, id, receiver])}`
}

/** The answer to an input of an entry that was kept; undefined if there is none. The entry is as written, not expanded. */
export const readInputAnswer = ({ store }: Place, entry: ServerEntry, id: string): Promise<string | undefined> =>
  Promise.resolve(store.get(keyOf(entry, id)))

/** Keeps the answer to an input of an entry; undefined forgets it. */
export async function keepInputAnswer(
  { store }: Place,
  entry: ServerEntry,
  id: string,
  answer: string | undefined,
): Promise<void> {
  if (answer === undefined) await store.delete(keyOf(entry, id))
  else await store.set(keyOf(entry, id), answer)
}
