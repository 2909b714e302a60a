/** Whether two texts are equal, in a time that tells nothing about where they differ. */
export function sameSecret(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let i = 0; i < other.length; i++) difference |= one.charCodeAt(i % (one.length || 1)) ^ other.charCodeAt(i)
  return difference === 0
}
