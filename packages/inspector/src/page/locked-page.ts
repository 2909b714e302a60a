import type { Asset } from './assets.ts'

const html = (title: string, text: string): Asset => ({
  type: 'text/html; charset=utf-8',
  body: Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><h1>${title}</h1><p>${text}</p></html>`,
  ),
})

/** The page for a browser without a cookie. Nothing of the request is in it. */
export const lockedPage: Asset = html(
  'The workbench is locked',
  'Open the link that was shown in the terminal. It works once, so that nobody else can use it; ' +
    'start the workbench again, or press Enter in its terminal, for a new one.',
)

export const missingPage: Asset = html(
  'The page is not built',
  'Run <code>npm run build</code> and start the workbench again.',
)
