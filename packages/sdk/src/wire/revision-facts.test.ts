import { expect, test } from 'vitest'
import { revisions } from '../model/revision.ts'
import { revisionFacts } from './revision-facts.ts'

test('every revision says who decides about tasks, how roots change and how log levels are set', () => {
  const session = { rootsListChanged: true, logLevelPerRequest: false }
  expect(Object.fromEntries(revisions.map((revision) => [revision, revisionFacts(revision)]))).toEqual({
    '2024-11-05': { ...session, tasks: undefined },
    '2025-03-26': { ...session, tasks: undefined },
    '2025-06-18': { ...session, tasks: undefined },
    '2025-11-25': { ...session, tasks: 'client' },
    '2026-07-28': { tasks: 'server', rootsListChanged: false, logLevelPerRequest: true },
  })
})
