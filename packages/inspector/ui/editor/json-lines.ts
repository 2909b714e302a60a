import { StreamLanguage } from '@codemirror/language'

/** JSON, one value per line, as in session files. */
export const jsonLines = StreamLanguage.define<null>({
  name: 'json-lines',
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName'
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
    if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number'
    if (stream.match(/^(?:true|false)\b/)) return 'bool'
    if (stream.match(/^null\b/)) return 'null'
    stream.next()
    return null
  },
})
