import { chatOptions } from '../../chat/options.ts'
import { command } from '../../command.ts'

export default command({
  name: 'chat',
  summary: 'Talk to a model that uses the tools of your servers',
  usage: ['[server…]', '[server…] -- <program> [argument…]'],
  details:
    'A server is the name of a configured one, or a URL; without any, all configured servers that can start are used. Calls are asked about first, unless they only read and their server is trusted. In the chat /help lists the commands, /server.prompt uses a prompt, @server:uri sends a resource along, and Ctrl-C cancels an answer. Conversations are saved for --resume.',
  examples: [
    { line: 'tenon chat --demo', shows: 'try it offline, without a key' },
    { line: 'tenon chat weather --model anthropic/claude-sonnet-5-5', shows: 'a configured server' },
    { line: 'tenon chat --demo --json --once Rain?', shows: 'one question of a script, with its events' },
  ],
  options: chatOptions,
  run: async (call) => await (await import('../../chat/chat.ts')).runChat(call),
})
