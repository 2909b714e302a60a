import { Lexer } from 'yaml'

/** Lists and maps in brackets. */
const maxFlowDepth = 100
/** Each level in lines of its own is at least one column further in. */
const maxIndent = 400

/** Stands before the text of a scalar, in which nothing has a meaning. */
const scalarMark = '\u001f'

const documentMark = '\u0002'

/** Whether a YAML text nests deeper than its parser, which calls itself for each level, can bear. Reads no further than that. */
export function isTooDeep(text: string): boolean {
  let flow = 0
  let indent = 0
  let isLineStart = true
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    if (isScalar) isScalar = false
    else if (token === scalarMark) isScalar = true
    else if (token === '[' || token === '{') flow++
    else if (token === ']' || token === '}') flow--
    if (/^\r?\n$/.test(token)) {
      indent = 0
      isLineStart = true
    } else if (isLineStart && flow === 0 && /^(?: +|[-?])$/.test(token)) indent += token.length
    else if (token !== documentMark) isLineStart = false
    if (flow > maxFlowDepth || indent > maxIndent) return true
  }
  return false
}
