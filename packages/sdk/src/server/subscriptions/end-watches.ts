/** Ends the watching of resources. A fault in one is reported, and the others end all the same. */
export function endWatches(ends: Iterable<() => void>, report: (error: unknown) => void): void {
  for (const end of ends) {
    try {
      end()
    } catch (error) {
      report(error)
    }
  }
}
