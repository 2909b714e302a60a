export const maxSourceLength = 10_000

/** Throws a `SyntaxError` if a pattern is invalid or too long. Nothing of it runs until it is given a subject. */
export function checkSyntax(source: string): { native: RegExp; text: string } {
  if (source.length > maxSourceLength) throw new SyntaxError('there is too much of it')
  try {
    return { native: new RegExp(source, 'u'), text: source }
  } catch (error) {
    const text = withoutNeedlessEscapes(source)
    if (text === source) throw error
    return { native: new RegExp(text, 'u'), text }
  }
}

/** Schemas in the wild escape punctuation (`\-`, `\@`, `\_`) that unicode mode does not allow to be escaped. */
const withoutNeedlessEscapes = (source: string): string =>
  source.replace(/\\(?:([-_"'@#%&:;<=>,~`! ])|.)/gs, (whole, needless: string | undefined) =>
    needless === undefined ? whole : `\\x${needless.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
