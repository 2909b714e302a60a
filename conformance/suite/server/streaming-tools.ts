import { setTimeout as pause } from 'node:timers/promises'
import { type ServerTool, tool } from '@tenon/sdk/server'

/** Tools that send notifications before they answer, or answer late. */
export const streamingTools: ServerTool[] = [
  tool({
    name: 'test_tool_with_progress',
    description: 'Reports progress three times',
    async run(_, ctx) {
      for (const progress of [0, 50, 100]) {
        await ctx.progress(progress, 100, `Completed step ${progress} of 100`)
        await pause(50)
      }
      return 'Done'
    },
  }),
  tool({
    name: 'test_tool_with_logging',
    description: 'Logs three messages',
    async run(_, ctx) {
      for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await ctx.log('info', message)
        await pause(50)
      }
      return 'Done'
    },
  }),
  tool({
    name: 'test_reconnection',
    description: 'Answers so late that the connection is closed before, and the client has to come back',
    async run() {
      await pause(1_000)
      return 'Delivered on the second connection'
    },
  }),
  tool({
    name: 'test_streaming_elicitation',
    description: 'Answers on a stream without asking the client anything',
    async run(_, ctx) {
      await ctx.progress(1, 1)
      return 'Nothing had to be asked'
    },
  }),
  tool({
    name: 'test_logging_tool',
    description: 'Logs a message, which only reaches clients that asked for messages',
    async run(_, ctx) {
      await ctx.log('info', 'A message that nobody may have asked for')
      return 'Logged'
    },
  }),
]
