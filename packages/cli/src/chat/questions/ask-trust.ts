import type { Answer, EntryIdentity, TrustQuestion } from '@tenon/host'
import { yesOrNo } from '../../ask/yes-or-no.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'

/** Asks whether a server, or changed definitions of it, may be used; shows the difference. */
export async function askTrust(question: TrustQuestion, terminal: Terminal): Promise<Answer> {
  const { server, entry, approved, changes, signal } = question
  const { bold, green, red, yellow } = terminal.notes
  if (entry) {
    terminal.warn(
      approved
        ? say`${yellow('The configuration of')} ${bold(server)} ${yellow('has changed since you approved it')}`
        : say`${bold(server)} is used for the first time`,
    )
    if (approved) for (const line of entryLines(approved)) terminal.warn(say`  ${red(`- ${line}`)}`)
    for (const line of entryLines(entry)) terminal.warn(say`  ${approved ? green(`+ ${line}`) : line}`)
  }
  for (const { kind, name, difference } of changes) {
    terminal.warn(say`${bold(server)} ${yellow('has changed the')} ${kind} ${bold(name)}`)
    for (const line of difference) terminal.warn(say`  ${(line.startsWith('-') ? red : green)(line)}`)
  }
  const what = entry ? 'May it be started or reached?' : 'Use it as it is now?'
  return (await yesOrNo(what, undefined, terminal, signal)) === true ? 'approve' : 'deny'
}

function entryLines(entry: EntryIdentity): string[] {
  if ('url' in entry) return [entry.url, ...(entry.headers.length > 0 ? [`headers: ${entry.headers.join(', ')}`] : [])]
  return [
    [entry.command, ...entry.args].map((word) => (/^[\w./:@=-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
    ...(entry.cwd === undefined ? [] : [`in ${entry.cwd}`]),
    ...(entry.env.length > 0 ? [`variables: ${entry.env.join(', ')}`] : []),
  ]
}
