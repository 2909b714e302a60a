import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { answer, encodingOf, fromText, keyTool, reads, writes } from '../key-tool.ts'
import { readScore, readSortedSet, score } from '../readers/sorted-set.ts'
import { lineOf, quoteLines, shownValue } from '../value.ts'

const memberText = z.string().max(1_000_000)

/** Tools for sorted sets. */
export const sortedSetTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'sorted_set_range',
    title: 'Read a sorted set',
    description: 'Reads members of a sorted set in the order of their scores, in pages: call again with start = next.',
    hints: reads,
    input: {
      start: z.int().min(0).default(0).describe('First member, counted from 0 among those within the scores'),
      limit: z.int().min(1).max(10_000).default(500).describe('Most members'),
      minScore: score.optional(),
      maxScore: score.optional(),
      reverse: z.boolean().default(false).describe('Highest scores first'),
    },
    output: z.object({
      length: z.int().describe('Members of the whole set; 0 if there is none'),
      members: z.array(shownValue.extend({ score })),
      next: z.int().optional().describe('Where the next page begins'),
    }),
    async run({ bytes, shown }, range) {
      const { length, members, next } = await readSortedSet(database, bytes, range)
      const lines = members.map((member) => `${member.score}: ${lineOf(member)}`)
      const more = next === undefined ? [] : [`… more: call again with start ${next}.`]
      return answer([`${shown}: ${length} members`, ...lines, ...more], {
        ...{ length, members },
        ...(next !== undefined && { next }),
      })
    },
  }),
  keyTool({
    name: 'sorted_set_scores',
    title: 'Scores of members',
    description: 'Tells the scores of some members of a sorted set.',
    hints: reads,
    input: { members: z.array(memberText).min(1).max(1_000), encoding: encodingOf('the members are') },
    output: z.object({ scores: z.array(score.nullable()).describe('For each member; null if it is none') }),
    async run({ bytes }, { members, encoding }) {
      const asked = members.map((member) => fromText(member, encoding))
      const reply = (await database.send('ZMSCORE', bytes, ...asked)) as readonly (Buffer | null)[]
      const scores = reply.map((one) => (one === null ? null : readScore(one)))
      const lines = members.map((member, at) => `${quoteLines(member)}: ${scores[at] ?? 'no member'}`)
      return answer(lines, { scores })
    },
  }),
  keyTool({
    name: 'sorted_set_add',
    title: 'Add to a sorted set',
    description: 'Adds members with scores to a sorted set. Members that exist get the new score.',
    hints: writes(true, true),
    input: {
      members: z
        .array(z.object({ member: memberText, score }))
        .min(1)
        .max(10_000),
      encoding: encodingOf('the members are'),
    },
    output: z.object({ added: z.int().describe('Members that were not there before') }),
    async run({ bytes, shown }, { members, encoding }) {
      const pairs = members.flatMap(({ member, score }) => [score, fromText(member, encoding)])
      const added = Number(await database.send('ZADD', bytes, ...pairs))
      return answer(`${shown}: ${added} members added`, { added })
    },
  }),
  keyTool({
    name: 'sorted_set_increment',
    title: 'Increment a score',
    description: 'Adds a number to the score of a member, 0 if it is none yet.',
    hints: writes(false, false),
    input: { member: memberText, by: z.number().default(1), encoding: encodingOf('the member is') },
    output: z.object({ score }),
    async run({ bytes }, { member, by, encoding }) {
      const reply = await database.send('ZINCRBY', bytes, by, fromText(member, encoding))
      const changed = readScore(reply as Buffer)
      return answer(`${quoteLines(member)}: ${changed}`, { score: changed })
    },
  }),
  keyTool({
    name: 'sorted_set_remove',
    title: 'Remove from a sorted set',
    description: 'Removes members from a sorted set.',
    hints: writes(true, true),
    input: { members: z.array(memberText).min(1).max(10_000), encoding: encodingOf('the members are') },
    output: z.object({ removed: z.int() }),
    async run({ bytes, shown }, { members, encoding }) {
      const given = members.map((member) => fromText(member, encoding))
      const removed = Number(await database.send('ZREM', bytes, ...given))
      return answer(`${shown}: ${removed} members removed`, { removed })
    },
  }),
]
