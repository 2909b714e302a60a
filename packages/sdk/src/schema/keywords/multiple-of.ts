/** Whether a number is a multiple of another in decimal notation: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  // Larger than every double.
  if (!Number.isFinite(divisor)) return value === 0
  const one = toDecimal(value)
  const other = toDecimal(divisor)
  const exponent = Math.min(one.exponent, other.exponent)
  return scale(one, exponent) % scale(other, exponent) === 0n
}

interface Decimal {
  digits: bigint
  exponent: number
}

function toDecimal(value: number): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

const scale = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to)
