import type { ElicitResult, ElicitUrlParams } from '@tenon/sdk/client'
import { visible, visibleLine } from '@tenon/sdk/display'
import type { Terminal } from '../terminal/terminal.ts'
import { yesOrNo } from './yes-or-no.ts'

/** Shows where a server wants somebody to go, and goes there if they agree. */
export async function askToVisit(
  { message, url }: ElicitUrlParams,
  who: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const { bold, dim, yellow } = terminal.notes
  const page = new URL(url)
  terminal.warn(`${bold(who)} wants you to visit a page`)
  terminal.warn(visible(message))
  terminal.warn(`  ${visibleLine(page.href)}`)
  terminal.warn(`  ${dim('host')} ${bold(visibleLine(page.host))}`)
  if (page.protocol !== 'https:') terminal.warn(yellow('  The page is not encrypted: others can read what you enter.'))
  if (/(?:^|\.)xn--/.test(page.hostname)) terminal.warn(yellow('  The name has letters that look like others.'))
  const agreed = await yesOrNo('Open it in the browser?', undefined, terminal, signal)
  if (agreed === undefined) return { action: 'cancel' }
  if (!agreed) return { action: 'decline' }
  const { openBrowser } = await import('@tenon/sdk/auth')
  try {
    await openBrowser(page)
  } catch {
    terminal.warn('No browser could be opened: visit the page yourself.')
  }
  return { action: 'accept' }
}
