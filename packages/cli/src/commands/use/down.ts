import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { KeeperControl } from '../../keep/control.ts'
import { didYouMean } from '../../line/did-you-mean.ts'
import { say } from '../../terminal/text.ts'

export default command({
  name: 'down',
  summary: 'End kept servers',
  usage: ['', '<name…>'],
  details: 'Ends the named servers that tenon up keeps, or all of them. Calls in flight may finish first.',
  examples: [{ line: 'tenon down', shows: 'end all kept servers' }],
  options: {},
  async run(call) {
    const { words, terminal, signal } = call
    await using control = await KeeperControl.find(terminal.surroundings, signal)
    const kept = ((await control?.state())?.servers ?? []).map(({ name }) => name)
    for (const word of words) {
      if (!kept.includes(word))
        throw usage(
          `${word} is not kept`,
          didYouMean(word, kept) ?? (kept.length === 0 ? 'No servers are kept.' : `There are ${kept.join(', ')}.`),
        )
    }
    const names = words.length === 0 ? ((await control?.down()) ?? []) : words
    if (words.length > 0) for (const word of words) await control!.down(word)
    await call.result({ ended: names }, () => {
      if (names.length === 0) terminal.note(say`No servers are kept.`)
      else terminal.line(say`Ended ${names.join(', ')}`)
    })
  },
})
