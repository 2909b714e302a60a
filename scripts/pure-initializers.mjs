// The package says that importing it does nothing (`sideEffects: false`). Where many modules are one file, bundlers have
// to be told so again for each constant whose initializer runs something, to leave out the constants that nobody uses.
const running = /^(Call|New|Member|TaggedTemplate)Expression$|^SpreadElement$|^TemplateLiteral$/

export const pureInitializers = {
  name: 'pure-initializers',
  transform: {
    filter: { code: /^(export )?(const|let) /m },
    handler(code, id) {
      const { body } = this.parse(code, { lang: id.endsWith('.ts') ? 'ts' : 'js' })
      const initializers = body
        .map((statement) => statement.declaration ?? statement)
        .filter(({ type }) => type === 'VariableDeclaration')
        .flatMap(({ declarations }) => declarations.flatMap(({ init }) => (runs(init) ? init : [])))
      return { code: initializers.reduceRight(markPure, code), map: null }
    },
  },
}

/** Whether evaluating it does more than to make a value of literals and functions. */
function runs(node) {
  if (node === null || typeof node !== 'object' || /Function|^Class/.test(node.type)) return false
  return running.test(node.type) || Object.values(node).flat().some(runs)
}

/** Nothing moves to another line, so the source maps stay right. */
const markPure = (code, { start, end }) =>
  `${code.slice(0, start)}/* @__PURE__ */ (() => (${code.slice(start, end)}))()${code.slice(end)}`
