import { command } from '../../command.ts'
import { skillText } from '../../skill/skill-text.ts'

export default command({
  name: 'skill',
  summary: 'Print a skill file that teaches an agent this command',
  usage: [''],
  details:
    'SKILL.md with a name and a description at its top, as hosts of agent skills read it: how to find servers and tools, call them, read results and errors. `tenon help --json` has every command and option as data.',
  examples: [
    { line: 'tenon skill > SKILL.md', shows: 'for the folder of skills of a host' },
    { line: 'tenon skill --json', shows: 'the same for a program' },
  ],
  options: {},
  run: async (call) => {
    const text = skillText()
    await call.result({ file: 'SKILL.md', text }, () => call.terminal.content(text))
  },
})
