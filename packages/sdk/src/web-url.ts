/** True for what a browser may be sent to: `javascript:` and `file:` URLs are attacks, not pages. */
export const isWebUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
