import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import {
  answer,
  cursorParameter,
  encodingOf,
  fromText,
  keyTool,
  moreText,
  nextCursor,
  reads,
  writes,
} from '../key-tool.ts'
import { readSet } from '../readers/set.ts'
import { lineOf, quoteLines, shownValue } from '../value.ts'

const members = z.array(z.string().max(1_000_000)).min(1).max(10_000)

/** Tools for sets. */
export const setTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'set_members',
    title: 'Read a set',
    description: 'Reads the members of a set, in pages and in no order.',
    hints: reads,
    input: {
      pattern: z.string().max(1_000).default('*').describe('Only members that match, as in list'),
      cursor: cursorParameter,
      limit: z.int().min(1).max(10_000).default(500).describe('About how many members a page has'),
    },
    output: z.object({
      length: z.int().describe('Members of the set; 0 if there is none'),
      members: z.array(shownValue),
      nextCursor,
    }),
    async run({ bytes, shown }, { pattern, cursor, limit }, { signal }) {
      const { length, members, nextCursor } = await readSet(database, bytes, { pattern, cursor, limit, signal })
      return answer([`${shown}: ${length} members`, ...members.map(lineOf), ...moreText(nextCursor)], {
        length,
        members,
        ...(nextCursor !== undefined && { nextCursor }),
      })
    },
  }),
  keyTool({
    name: 'set_contains',
    title: 'Look for members of a set',
    description: 'Tells which of some values are members of a set.',
    hints: reads,
    input: { members, encoding: encodingOf('the members are') },
    output: z.object({ contained: z.array(z.boolean()).describe('For each member, in their order') }),
    async run({ bytes }, { members, encoding }) {
      const asked = members.map((member) => fromText(member, encoding))
      const contained = ((await database.send('SMISMEMBER', bytes, ...asked)) as readonly number[]).map(Boolean)
      const lines = members.map((member, at) => `${quoteLines(member)}: ${contained[at] ? 'yes' : 'no'}`)
      return answer(lines, { contained })
    },
  }),
  keyTool({
    name: 'set_add',
    title: 'Add to a set',
    description: 'Adds members to a set.',
    hints: writes(false, true),
    input: { members, encoding: encodingOf('the members are') },
    output: z.object({ added: z.int().describe('Members that were not there before') }),
    async run({ bytes, shown }, { members, encoding }) {
      const given = members.map((member) => fromText(member, encoding))
      const added = Number(await database.send('SADD', bytes, ...given))
      return answer(`${shown}: ${added} members added`, { added })
    },
  }),
  keyTool({
    name: 'set_remove',
    title: 'Remove from a set',
    description: 'Removes members from a set.',
    hints: writes(true, true),
    input: { members, encoding: encodingOf('the members are') },
    output: z.object({ removed: z.int() }),
    async run({ bytes, shown }, { members, encoding }) {
      const given = members.map((member) => fromText(member, encoding))
      const removed = Number(await database.send('SREM', bytes, ...given))
      return answer(`${shown}: ${removed} members removed`, { removed })
    },
  }),
]
