// The only file here that deals with revisions of the protocol: their names and differences come from the SDK.
import { type Revision, revisionFacts, revisions } from '@tenon/sdk/client'
import { type RawParams, readOneOf, readTexts, unexpected } from './read-params.ts'

/** The revisions that the workbench speaks, newest first. */
export const newestFirst: readonly Revision[] = revisions.toReversed()

/** The revisions that have tasks, oldest first. */
export const revisionsWithTasks: readonly Revision[] = revisions.filter((one) => revisionFacts(one).tasks !== undefined)

/** A revision by the name that a file gives it; undefined if the workbench does not speak it. */
export const knownRevision = (name: string | undefined): Revision | undefined => revisions.find((one) => one === name)

export const readRevision = (params: RawParams): Revision => readOneOf<Revision>(params, 'revision', revisions)

export const readRevisions = (params: RawParams): Revision[] =>
  readTexts(params, 'revisions').map((name) => {
    const known = knownRevision(name)
    if (known === undefined) throw unexpected('revisions', `some of ${revisions.join(', ')}`, name)
    return known
  })
