/** Elements of an answer that has names and values in turns. */
export const inPairs = <T>(elements: readonly T[]): [T, T][] =>
  Array.from({ length: elements.length / 2 }, (_, at) => [elements[2 * at]!, elements[2 * at + 1]!])
