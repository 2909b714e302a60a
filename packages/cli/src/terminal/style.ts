/** Colours, or none: each is a function from text to text. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  blue(text: string): string
  magenta(text: string): string
  cyan(text: string): string
}

export const plain: Style = styles(() => (text) => text)
export const coloured: Style = styles((on, off) => (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`))

function styles(paint: (on: number, off: number) => (text: string) => string): Style {
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
  }
}

/** Whether a stream shall get colours: a terminal does, unless the environment says otherwise. */
export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0'
  return stream.isTTY === true && env.TERM !== 'dumb'
}
