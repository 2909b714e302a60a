import type { Revision } from '@tenon/sdk/server'
import { listIn, readTable } from '../spec/tables.ts'

/** One normative statement of the specification, restated. */
export interface Requirement {
  area: string
  id: string
  level: 'must' | 'must-not' | 'should' | 'should-not' | 'may'
  role: string
  revisions: readonly string[]
  /** False for guidance about people, documents and intent. */
  testable: boolean
  /** The page and heading of the specification. */
  source: string
  /** The compliant behaviour in a sentence, for `must-not` and `should-not` too. */
  says: string
}

/** Every requirement by its id. */
export const requirements: ReadonlyMap<string, Requirement> = new Map(
  readTable('requirements').map(({ area, id, level, role, revisions, testable, source, says }) => [
    id,
    {
      area,
      id,
      level: level as Requirement['level'],
      role,
      revisions: listIn(revisions),
      testable: testable === 'yes',
      source,
      says,
    },
  ]),
)

/** Those of some requirements that hold in a revision. An unknown id is kept, so that it is noticed. */
export const requirementsIn = (revision: Revision, ids: readonly string[]): string[] =>
  ids.filter((id) => requirements.get(id)?.revisions.includes(revision) ?? true)
