import { prompt, resource, type Server, type ServerTool, tool } from '@tenon/sdk/server'
import { z } from 'zod'

const rollDice = tool({
  name: 'roll_dice',
  title: 'Roll dice',
  description: 'Rolls some dice with six sides',
  input: z.object({ count: z.number().int().min(1).max(20).default(2) }),
  output: z.object({ rolls: z.array(z.number().int()), total: z.number().int() }),
  run: ({ count }) => {
    // 252 is the largest multiple of six in a byte: higher values would favour the low sides.
    const fair = (): number => crypto.getRandomValues(new Uint8Array(16)).find((byte) => byte < 252) ?? fair()
    const rolls = Array.from({ length: count }, () => (fair() % 6) + 1)
    return { rolls, total: rolls.reduce((sum, roll) => sum + roll, 0) }
  },
})

const rules = resource({
  uri: 'guide:///dice',
  name: 'dice',
  title: 'The rules of the dice game',
  mimeType: 'text/markdown',
  read: () => 'Everybody rolls two dice. The highest total wins; a double counts twice.\n',
})

const playDice = prompt({
  name: 'play_dice',
  title: 'Play dice',
  description: 'Starts a game of dice',
  run: () => 'Read guide:///dice, then play a game against me: use roll_dice for both of us.',
})

/** A tool that changes the list of tools while the server runs; every connected client is notified. */
export const extrasTool = <App>(server: Server<App>): ServerTool =>
  tool({
    name: 'toggle_extras',
    title: 'Switch extras on or off',
    description: 'Adds or removes a tool, a resource and a prompt for a game of dice, for all clients of this server',
    input: z.object({ enabled: z.boolean() }),
    annotations: { idempotent: true, destructive: false, openWorld: false },
    run: ({ enabled }) => {
      if (server.tools.has(rollDice.name) === enabled) return `The extras are ${onOrOff(enabled)} already.`
      if (enabled) {
        server.tools.add(rollDice)
        server.resources.add(rules)
        server.prompts.add(playDice)
      } else {
        server.tools.remove(rollDice.name)
        server.resources.remove(rules.uri)
        server.prompts.remove(playDice.name)
      }
      return `The extras are ${onOrOff(enabled)}.`
    },
  })

const onOrOff = (enabled: boolean): string => (enabled ? 'on' : 'off')
