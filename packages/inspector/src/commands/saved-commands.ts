import type { SavedCommands } from '../protocol.ts'
import { type RawParams, readNumber, readNumberIfAny, readObject, readText, unexpected } from '../read-params.ts'
import { readRevisions } from '../revisions.ts'
import type { Handlers } from './command.ts'
import { serverOf } from './server-commands.ts'

export const savedCommands: Handlers<keyof SavedCommands> = {
  'saved.list': async (_params, { saved }) => ({
    folder: saved.shelf.folder.path,
    collections: await saved.shelf.list(),
  }),
  'saved.put': async (params, bench) => {
    const index = readNumberIfAny(params, 'index')
    const [collection, at] = await bench.saved.put(readText(params, 'collection'), readObject('call', params.call), {
      ...(index !== undefined && { index }),
      ...(params.server !== undefined && { server: serverOf(params, bench).spec }),
    })
    return { collection, index: at }
  },
  'saved.remove': async (params, { saved }) => ({
    collection: await saved.remove(readText(params, 'collection'), readNumber(params, 'index')),
  }),
  'saved.delete': async (params, { saved }) => {
    await saved.shelf.folder.remove(readText(params, 'collection'))
    return {}
  },
  'saved.text': async (params, { saved }) => ({ text: await saved.shelf.folder.read(readText(params, 'collection')) }),
  'saved.write': async (params, { saved }) => ({
    collection: await saved.shelf.write(
      readText(params, 'collection'),
      readText(params, 'text'),
      params.isNew === true,
    ),
  }),
  'saved.run': async (params, bench) => {
    const file = await bench.saved.load(readText(params, 'collection'))
    const run = bench.savedRuns.start(file, {
      ...(params.calls !== undefined && { calls: readIndices(params) }),
      ...(params.revisions !== undefined && { revisions: readRevisions(params) }),
      ...(params.server !== undefined && { server: serverOf(params, bench) }),
    })
    return { run }
  },
  'saved.agree': (params, { savedRuns }) => {
    savedRuns.agree(readText(params, 'run'), readText(params, 'challenge'), params.agreed === true)
    return {}
  },
  'saved.stop': (params, { savedRuns }) => {
    savedRuns.stop(readText(params, 'run'))
    return {}
  },
}

function readIndices({ calls }: RawParams): number[] {
  if (Array.isArray(calls) && calls.every((index) => Number.isSafeInteger(index))) return calls
  throw unexpected('calls', 'an array of numbers', calls)
}
