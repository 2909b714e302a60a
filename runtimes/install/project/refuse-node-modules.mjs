/** Fails if code for pages imports a module of Node. */
export function refuseNodeModules(codes) {
  if (codes.length === 0) throw new Error('there is no output')
  for (const code of codes) {
    const found = /(?:from|import)\s*\(?\s*["'](?:node:[\w/]+|ws)["']/.exec(code)
    if (found) throw new Error(`a page would import ${found[0]}`)
  }
}
