/** Makes JSON data unchangeable, in all its parts: it is shared. Without recursion, since a token chooses its depth. */
export function freezeAll<T extends object>(data: T): T {
  const rest: object[] = [data]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    Object.freeze(next)
    for (const member of Object.values(next) as unknown[]) {
      if (typeof member === 'object' && member !== null) rest.push(member)
    }
  }
  return data
}
