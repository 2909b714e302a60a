import { type Need, needs } from './requires.ts'

/** Says in one line how many tests were skipped, the needs of each, and how to install them. */
export function skippedLine(missing: readonly (Need | undefined)[]): string | undefined {
  if (missing.length === 0) return undefined
  const wanted = [...new Set(missing)]
  const shares = wanted.map((need) => {
    const many = missing.filter((one) => one === need).length
    if (need === undefined) return `${many} without a reason`
    return `${many} ${many === 1 ? 'needs' : 'need'} ${needs[need].name}`
  })
  const installable = wanted.some((need) => need !== undefined && needs[need].installable)
  const tests = missing.length === 1 ? '1 test' : `${missing.length} tests`
  const command = installable ? '. To install what is missing: scripts/install-test-material' : ''
  return `Skipped ${tests}: ${shares.join(', ')}${command}`
}
