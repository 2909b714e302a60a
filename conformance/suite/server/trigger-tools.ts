import { prompt, type Server, type ServerTool, tool } from '@tenon/sdk/server'

const passing = 'test_passing'

/** Tools that make a list change, for clients that listen. The list is as before when they have answered. */
export const triggerTools = (server: () => Server): ServerTool[] => [
  tool({
    name: 'test_trigger_tool_change',
    description: 'Adds a tool and removes it again',
    run() {
      server().tools.add(tool({ name: passing, description: 'Is soon gone', run: () => 'Still here' }))
      server().tools.remove(passing)
      return 'The list of tools changed'
    },
  }),
  tool({
    name: 'test_trigger_prompt_change',
    description: 'Adds a prompt and removes it again',
    run() {
      server().prompts.add(prompt({ name: passing, description: 'Is soon gone', run: () => 'Still here' }))
      server().prompts.remove(passing)
      return 'The list of prompts changed'
    },
  }),
]
