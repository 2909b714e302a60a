import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { placeOptions, takeOut } from '../../manage/take-out.ts'

export default command({
  name: 'uninstall',
  summary: 'Remove a server from hosts',
  usage: ['<name> --from <host,…>'],
  examples: [{ line: 'tenon uninstall weather --from tenon --dry-run', shows: 'the change of the file' }],
  options: placeOptions,
  async run(call) {
    const { from } = call.options
    if (from.length === 0)
      throw usage('Expected the hosts in --from', 'For example --from cursor,vscode; `tenon servers` shows who has it.')
    await takeOut(call)
  },
})
