/** Text that is markup already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | Html | undefined | false | readonly Html[]

/** A template in which everything that is not markup already is escaped. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + textOf(parts[index])).join(''))
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escaped(part)
  return part.map(({ text }) => text).join('')
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities.get(character)!)

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu

/** A self-chosen name, made short, without invisible characters and without changes of direction. */
export function displayName(name: string): string {
  const visible = name.replace(invisible, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...visible]
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : visible
}
