import type { ServerEntry } from '@tenon/host/config'
import type { HostLink } from '@tenon/host/config/write'
import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { givenServers, serverOptions } from '../../manage/given-servers.ts'
import { isKnown, knownServer } from '../../manage/known-server.ts'
import { readHosts } from '../../manage/options.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'

export default command({
  name: 'link',
  summary: 'Print links and badges that install a server',
  usage: ['<name>', '[name] <url>', '[name] -- <program> [argument…]'],
  details:
    'A click on a link opens the host, which asks and installs the server: VS Code, Cursor, LM Studio and Goose have such links. --markdown prints badges for a README, with addresses that GitHub allows.',
  examples: [
    { line: 'tenon link everything', shows: 'a link for each host' },
    { line: 'tenon link notes --as vscode,cursor --markdown -- npx -y my-notes', shows: 'badges for a README' },
  ],
  options: {
    as: { type: 'list', value: 'host,…', help: 'For these hosts only' },
    markdown: { type: 'flag', help: 'Print badges for a README' },
    config: { type: 'text', short: 'c', value: 'file', help: 'Find the name of the server in this file' },
    ...serverOptions,
  },
  async run(call) {
    const { linkHosts, toInstallLink } = await import('@tenon/host/config/write')
    const { options, terminal, words } = call
    const hosts = options.as.length === 0 ? linkHosts : await readHosts('as', options.as)
    const [word = ''] = words
    const isOneWord = call.command === undefined && words.length === 1
    // Names may contain spaces, as pasted texts do.
    const isName = isOneWord && (!/[\s{/]/.test(word) || (await isKnown(word, options.config, terminal)))
    const entries = isName ? [await knownServer(word, options.config, terminal)] : await givenServers(call)
    if (entries.length !== 1) throw usage(`Expected one server, found ${entries.length}`)
    const links = await Promise.all(hosts.map((host) => toInstallLink(entries[0]!, host)))
    await warn(entries[0]!, links, terminal)
    await call.result({ links: links.map((link) => ({ ...link, markdown: badgeOf(link) })) }, () => {
      for (const link of links) {
        if (options.markdown) terminal.content(badgeOf(link))
        else terminal.line(say`${terminal.style.bold(link.title)} ${link.url}`)
      }
    })
  },
})

const badgeOf = ({ title, badge, page, url }: HostLink): string => `[![Install in ${title}](${badge})](${page ?? url})`

async function warn(entry: ServerEntry, links: readonly HostLink[], terminal: Terminal): Promise<void> {
  const { describeProblem, secretsOf } = await import('@tenon/host/config')
  const tell = (text: string): void => terminal.warn(say`${terminal.notes.yellow('warning:')} ${text}`)
  for (const { path } of secretsOf(entry))
    tell(`${entry.name}: ${path.join('.')} looks like a secret, and is in the links`)
  for (const problem of links.flatMap(({ lost }) => lost)) tell(describeProblem(problem))
}
