import type { ElicitResult, ElicitUrlParams } from '@tenon/sdk/client'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say } from '../terminal/text.ts'
import { yesOrNo } from './yes-or-no.ts'

/** Shows the URL of a server, and opens it if the user agrees. */
export async function askToVisit(
  { message, url }: ElicitUrlParams,
  who: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const { bold, dim, yellow } = terminal.notes
  const page = new URL(url)
  terminal.warn(say`${bold(who)} wants you to visit a page`)
  terminal.warn(paragraph(message))
  terminal.warn(say`  ${page.href}`)
  terminal.warn(say`  ${dim('host')} ${bold(page.host)}`)
  if (page.protocol !== 'https:') terminal.warn(yellow('  The page is not encrypted: others can read your input.'))
  if (/(?:^|\.)xn--/.test(page.hostname)) terminal.warn(yellow('  The name has letters that look like others.'))
  const agreed = await yesOrNo('Open it in the browser?', undefined, terminal, signal)
  if (agreed === undefined) return { action: 'cancel' }
  if (!agreed) return { action: 'decline' }
  const { openBrowser } = await import('@tenon/sdk/auth')
  try {
    await openBrowser(page)
  } catch {
    terminal.warn(say`No browser could be opened: visit the page yourself.`)
  }
  return { action: 'accept' }
}
