import { type Part, TerminalText, toText } from './text.ts'

type Paint = (text: Part) => TerminalText

/** Colours, or none. */
export interface Style {
  bold: Paint
  dim: Paint
  red: Paint
  green: Paint
  yellow: Paint
  blue: Paint
  magenta: Paint
  cyan: Paint
}

export const plain: Style = styles(() => toText)
export const coloured: Style = styles((on, off) => (part) => {
  const text = toText(part)
  return text.isEmpty ? text : TerminalText.trust(`\u001b[${on}m${text}\u001b[${off}m`)
})

function styles(paint: (on: number, off: number) => Paint): Style {
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
