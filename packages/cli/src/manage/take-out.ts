import { type Command, type CommandCall, command } from '../command.ts'
import { usage } from '../exit.ts'
import { applyChanges } from './apply-changes.ts'
import { readHosts, scopeOption, writingOptions } from './options.ts'
import { placesOf } from './server-places.ts'

/** The options of commands that change a server where it is. */
export const placeOptions = {
  from: { type: 'list', value: 'host,…', help: 'In the files of these hosts' },
  ...scopeOption,
  config: { type: 'text', short: 'c', value: 'file', help: 'In this file' },
  ...writingOptions,
} as const

/** Removes a server from its file, or from those of hosts. */
export async function takeOut(call: CommandCall<typeof placeOptions>): Promise<void> {
  const { planRemove } = await import('@tenon/host/config/write')
  const { name, places } = await serverPlaces(call)
  await applyChanges(call, await Promise.all(places.map((place) => planRemove(name, place))))
}

/** Switches a server on or off in its file, or in those of hosts. */
export const switchCommand = (name: 'enable' | 'disable'): Command =>
  command({
    name,
    summary: name === 'enable' ? 'Switch a server on in its file' : 'Switch a server off in its file',
    usage: ['<name>', '<name> --from <host,…>'],
    details:
      'Some hosts have a member for that in their files (Cursor, Codex, Windsurf, Cline, Zed, OpenCode, Kiro, Goose and your own list); the others can only have the server or not.',
    examples: [{ line: `tenon ${name} time --dry-run`, shows: 'the change of the file that has it' }],
    options: placeOptions,
    async run(call) {
      const { planSwitch } = await import('@tenon/host/config/write')
      const { name: server, places } = await serverPlaces(call)
      const planned = await Promise.all(places.map((place) => planSwitch(server, place, name === 'enable')))
      const unchanged = places.filter((_, index) => planned[index] === undefined)
      await applyChanges(
        call,
        planned.filter((change) => change !== undefined),
        unchanged,
      )
    },
  })

async function serverPlaces(
  call: CommandCall<typeof placeOptions>,
): Promise<{ name: string; places: Awaited<ReturnType<typeof placesOf>> }> {
  const { options, words, terminal } = call
  const [word, ...others] = words
  if (word === undefined || others.length > 0)
    throw usage('Expected the name of one server', '`tenon servers` lists them.')
  const hosts = options.from.length === 0 ? [] : await readHosts('from', options.from)
  const places = await placesOf(word, { hosts, scope: options.scope, config: options.config }, terminal)
  // The name of `cursor:time` is `time`.
  const name = word.startsWith(`${places[0]!.host}:`) ? word.slice(places[0]!.host.length + 1) : word
  return { name, places }
}
