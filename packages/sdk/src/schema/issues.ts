/** The path of an invalid value, and the reason. */
export interface ParseIssue {
  path: (string | number)[]
  message: string
}

/** Issues in one line: `arguments.a: expected number, got string; arguments.b: is required`. */
export function formatIssues(issues: readonly ParseIssue[], root: string): string {
  return issues.map(({ path, message }) => `${path.reduce<string>(addKey, root)}: ${message}`).join('; ')
}

const addKey = (path: string, key: string | number): string => {
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}
