import { authorizationCode, deviceCode, type Grant, loopbackRedirect, openBrowser } from '@tenon/sdk/auth'
import { withExclusiveTerminal } from '../ask/exclusive-terminal.ts'
import { yesOrNo } from '../ask/yes-or-no.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'

/** A login in the browser, which opens only with a terminal. */
export const browserGrant = (terminal: Terminal, opens: boolean): Grant =>
  authorizationCode({ redirect: loopbackRedirect({ openBrowser: (page) => showPage(page, terminal, opens) }) })

async function showPage(page: URL, terminal: Terminal, opens: boolean): Promise<void> {
  const { bold } = terminal.notes
  terminal.warn(say`Log in at ${bold(page.host)}:`)
  terminal.warn(say`  ${page.href}`)
  if (!opens) return
  try {
    await openBrowser(page)
    terminal.note(say`The browser was opened. Waiting for you to come back.`)
  } catch {
    terminal.note(say`No browser could be opened: visit the page yourself.`)
  }
}

/** On another device, with a code. */
export const deviceGrant = (terminal: Terminal): Grant =>
  deviceCode({
    onCode: ({ userCode, verificationUri, verificationUriComplete }) => {
      const { bold } = terminal.notes
      terminal.warn(say`Visit ${verificationUri} and enter the code ${bold(userCode)}`)
      if (verificationUriComplete) terminal.warn(say`  or visit ${verificationUriComplete}`)
    },
  })

/** For commands that only use tokens: asks the user before a login; without a terminal the error says how to log in. */
export function offeredGrant(terminal: Terminal, signal: AbortSignal): Grant {
  const inner = browserGrant(terminal, true)
  return {
    ...inner,
    obtain: async (context) => {
      const server = context.server.href
      const offer = `${server} wants you to log in at ${context.as.issuer}. Open the browser?`
      const agrees =
        terminal.canAsk &&
        (await withExclusiveTerminal(terminal, () => yesOrNo(offer, true, terminal, signal))) === true
      if (agrees) return await inner.obtain(context)
      throw new CommandFailure(
        ExitCode.Unauthorized,
        'unauthorized',
        `${server} wants a login`,
        `Log in with \`tenon auth login ${server}\`, or give --header "Authorization: …".`,
      )
    },
  }
}
