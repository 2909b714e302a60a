/** A mistake of the operator: a flag, a file, an address. The program says it in one line and ends with exit code 2. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
}
