/** Agrees to what an authorization page asks, as a user in a browser would, and goes back to where it leads. */
export async function agree(url) {
  const page = await fetch(url, { redirect: 'manual' })
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { action, fields } = formOf(await page.text())
  const body = new URLSearchParams({ ...fields, decision: 'allow' })
  const answer = await fetch(action, {
    method: 'POST',
    body,
    headers: { cookie, origin: new URL(url).origin },
    redirect: 'manual',
  })
  await fetch(answer.headers.get('location') ?? '')
}

/** The form of the page, with what is filled in already. */
function formOf(html) {
  const inputs = [...html.matchAll(/<input ([^>]*)>/g)].map(([, attributes]) => attributes)
  const filled = inputs.filter((input) => /type="hidden"|checked/.test(input))
  const attribute = (text, name) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? ''
  const fields = Object.fromEntries(filled.map((input) => [attribute(input, 'name'), attribute(input, 'value')]))
  return { action: attribute(/<form ([^>]*)>/.exec(html)?.[1] ?? '', 'action'), fields }
}
