/** Quoted texts and names, comments, and semicolons outside of them. */
const tokens = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;/g

const blank = /[\s;]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y

/** True if only spaces, semicolons and comments follow. */
export function isBlankFrom(sql: string, start: number): boolean {
  blank.lastIndex = start
  while (blank.lastIndex < sql.length) {
    if (!blank.test(sql)) return false
  }
  return true
}

/**
 * True if a text goes on after its first statement. The engine decides where that ends: the semicolons in the body of
 * a trigger end nothing.
 */
export function hasSecondStatement(sql: string, isStatement: (text: string) => boolean): boolean {
  for (const { 0: token, index } of sql.matchAll(tokens)) {
    if (token !== ';') continue
    if (isBlankFrom(sql, index + 1)) return false
    if (!isBlankFrom(sql.slice(0, index), 0) && isStatement(sql.slice(0, index + 1))) return true
  }
  return false
}
