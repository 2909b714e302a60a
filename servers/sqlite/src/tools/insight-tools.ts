import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { type Insights, memoUri } from '../insights.ts'

/** The tool that fills the memo. */
export const appendInsight = (insights: Insights, changed: () => void): ServerTool =>
  tool({
    name: 'append_insight',
    title: 'Append insight',
    description: `Add a business insight to the memo, the resource ${memoUri}`,
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    input: z.object({
      insight: z.string().min(1).max(10_000).describe('Business insight discovered from data analysis'),
    }),
    output: z.object({ insights: z.int().describe('Insights in the memo') }),
    run({ insight }) {
      const count = insights.add(insight)
      changed()
      return new ToolResult({ content: 'Insight added to memo', structured: { insights: count } })
    },
  })
