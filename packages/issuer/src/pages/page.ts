import { newId } from '../state/secrets.ts'
import { type Html, html } from './html.ts'
import { styles } from './styles.ts'

interface PageContent {
  title: string
  body: Html
  status?: number
  /** Targets of its form: browsers apply them to all redirects that follow. */
  formTargets?: readonly string[]
  /** Goes on to another address by itself. */
  continueTo?: string
}

/** A page for users: no scripts, nothing loaded, in no frame (sec.deputy.ui-no-framing, sec.authurl.csp). */
export function pageResponse({ title, body, status = 200, formTargets = [], continueTo }: PageContent): Response {
  const nonce = newId()
  const refresh = continueTo === undefined ? undefined : html`<meta http-equiv="refresh" content="0;url=${continueTo}">`
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh}<title>${title}</title>
<style nonce="${nonce}">${styles}</style>
</head>
<body><main>${body}</main></body>
</html>
`
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      // Without any, browsers would hide the origin of the form as well.
      'referrer-policy': 'same-origin',
    },
  })
}

export const errorPage = (message: string, status: number): Response =>
  pageResponse({
    title: 'This did not work',
    status,
    body: html`<h1>This did not work</h1><p>${message}</p>
<p class="soft">Nothing was granted. Close this page, and start again in the application that sent you here.</p>`,
  })

/** Before consent, a stranger does not decide about the next page (auth.sec.auto-redirect-trusted). */
export const leavingPage = (message: string, host: string, location: string): Response =>
  pageResponse({
    title: 'This did not work',
    status: 400,
    body: html`<h1>This did not work</h1><p>${message}</p><p>The application waits for you at <strong>${host}</strong>.</p>
<p class="buttons"><a class="button" href="${location}" rel="noreferrer">Go back to ${host}</a></p>`,
  })

/** Leads on without a redirect, which the policy of the page with the first form could block. */
export const continuePage = (host: string, sentence: string, location: string): Response =>
  pageResponse({
    title: `On to ${host}`,
    continueTo: location,
    body: html`<h1>On to ${host}</h1><p>${sentence}</p>
<p class="buttons"><a class="button primary" href="${location}" rel="noreferrer">Continue</a></p>`,
  })
