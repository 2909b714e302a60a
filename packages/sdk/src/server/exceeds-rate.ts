import { Allowance, type Rate } from '../allowance.ts'

const allowances = new WeakMap<object, Allowance>()

/** True if something was done more often about this object than the rate allows; it must not be done then. */
export function exceedsRate(about: object, rate: Rate): boolean {
  const allowance = allowances.get(about) ?? new Allowance(rate)
  allowances.set(about, allowance)
  return allowance.take() > 0
}
