import { prompt, type ServerPrompt } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Schema } from './schema.ts'

/** Prompts for people: the demo of the original, and questions about a table. */
export const sqlitePrompts = (schema: Schema): ServerPrompt[] => [
  prompt({
    name: 'mcp-demo',
    title: 'Demo',
    description:
      'A prompt to seed the database with initial data and demonstrate what you can do with an SQLite MCP Server',
    arguments: z.object({ topic: z.string().max(1_000).describe('Topic to seed the database with initial data') }),
    run: ({ topic }) => demo(topic),
  }),
  prompt({
    name: 'analyze-table',
    title: 'Analyze a table',
    description: 'Looks through a table and reports what is in it',
    arguments: z.object({ table: z.string().max(1_000).describe('Name of the table') }),
    complete: {
      table: async (typed, _others, ctx) => {
        const start = typed.toLowerCase()
        const tables = await schema.tables(ctx)
        return tables.map(({ name }) => name).filter((name) => name.toLowerCase().startsWith(start))
      },
    },
    run: ({ table }) =>
      `Analyze the table ${JSON.stringify(table)} of the SQLite database. Begin with describe_table. Count its rows, and look at the range, the gaps and the most frequent values of its columns with read_query; never read all rows of a large table. Show one or two charts with show_chart that tell something. Keep every finding with append_insight. At the end, summarize in five sentences what the table is about, how good its data is, and which index or constraint it lacks.`,
  }),
]

const demo = (topic: string): string =>
  `Show me what you can do with the tools of this SQLite server, by means of a small business scenario about this topic: ${topic}

Go step by step, and let me decide between two or three choices after each step:

1. Make up a short story with a problem that data can solve. Name a main character, and a deadline.
2. Design two or three tables for it. Look with list_tables that they are not there yet, and create them with create_table.
3. Fill them with 10 to 20 plausible rows each, with write_query and parameters, or with import_data.
4. Offer me questions about the data. Answer the one that I choose with read_query, and say what the numbers mean for the story.
5. Keep each finding with append_insight: it appears in the memo, the resource memo://insights.
6. After two or three questions, show a chart of the most important finding with show_chart.
7. Close the story with the memo: the findings, and what the main character does because of them.

Begin with the first step.`
