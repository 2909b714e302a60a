import { prompt, type ServerPrompt } from '@tenon/sdk/server'
import { z } from 'zod'

/** Work that people ask for often. */
export const prompts: readonly ServerPrompt[] = [
  prompt({
    name: 'explore_database',
    title: 'Explore the database',
    description: 'Looks at schemas and tables, and answers a question from the data',
    arguments: z.object({ question: z.string().min(1).max(4_000).describe('The question to answer') }),
    run: ({ question }) =>
      `Answer this question from the database: ${question}
Look at list_tables first, then at the tables that matter with describe_table. Read with query, with parameters in params and not in the text.
Say which tables and conditions the answer comes from.`,
  }),
  prompt({
    name: 'tune_query',
    title: 'Make a query faster',
    description: 'Looks at the plan of a query and proposes changes',
    arguments: z.object({ sql: z.string().min(1).max(20_000).describe('The query') }),
    run: ({ sql }) =>
      `Look at the plan of this query with explain, then with analyze if it only reads:

${sql}

Name the step that takes most of the time, and propose an index or another form of the query. Show the expected plan. Change nothing.`,
  }),
]
