import { command } from '../../command.ts'
import { placeOptions, takeOut } from '../../manage/take-out.ts'

export default command({
  name: 'remove',
  summary: 'Remove a server from the file that has it',
  usage: ['<name>', '<name> --from <host,…>', '<name> --config <file>'],
  details:
    'Finds the file as other commands do. If several files have the name, --from, --scope or --config says which; nothing else in the file changes, and a copy of it is kept.',
  examples: [
    { line: 'tenon remove time --yes', shows: 'from the file that has it' },
    { line: 'tenon remove weather --from tenon --yes', shows: 'from your own list' },
  ],
  options: placeOptions,
  run: takeOut,
})
