import { encodePng, filledRaster, fillRect, type Rgb } from './png.ts'

const barWidth = 24
const gap = 8
const height = 160
const margin = 12
const paper: Rgb = [255, 255, 255]
const axis: Rgb = [120, 120, 120]

/** Values as vertical bars on a common axis, negative ones hanging below it. */
export function barChart(values: readonly number[], color: Rgb): Uint8Array {
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const unit = (height - 2 * margin) / (top - bottom || 1)
  const zero = Math.round(margin + top * unit)
  const width = 2 * margin + values.length * (barWidth + gap) - gap
  const chart = filledRaster(width, height, paper)
  for (const [index, value] of values.entries()) {
    const length = Math.round(Math.abs(value) * unit)
    const left = margin + index * (barWidth + gap)
    fillRect(chart, { left, top: value < 0 ? zero : zero - length, width: barWidth, height: length }, color)
  }
  fillRect(chart, { left: margin / 2, top: zero, width: width - margin, height: 1 }, axis)
  return encodePng(chart)
}
