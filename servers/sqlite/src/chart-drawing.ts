/** The part of the page that draws, in a language that browsers run as it is. */
export const drawing = `
  const width = 640, height = 320, left = 56, right = 12, top = 10, bottom = 34
  // Readable on light and on dark ground, also without seeing red and green apart.
  const colors = ['#3b82c4', '#e08a2e', '#2f9e77', '#c25b9a', '#8a7bd1', '#b59a1d', '#5aa9c9', '#c9604f', '#7a9a3a', '#9a6b4f', '#6f7f96', '#b06fc0']
  const colorOf = (index) => colors[index % colors.length]
  const make = (name, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    if (text !== undefined) element.textContent = text
    return element
  }
  const short = (value) => {
    const text = value === null || value === undefined ? '' : String(value)
    return text.length > 14 ? text.slice(0, 13) + '…' : text
  }
  const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
  const numberText = (value) => (value !== 0 && Math.abs(value) < 0.001 ? value.toExponential(1) : compact.format(value))

  /** Round values from at most the smallest to at least the largest. */
  const ticksBetween = (low, high) => {
    const span = high - low || Math.abs(high) || 1
    const raw = span / 5
    const power = 10 ** Math.floor(Math.log10(raw))
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) || raw
    const first = Math.floor(low / step)
    const last = Math.max(Math.ceil(high / step), first + 1)
    return Array.from({ length: Math.min(last - first, 20) + 1 }, (_, index) => (first + index) * step)
  }
  const rangeOf = (values, withZero) => {
    let low = withZero ? 0 : Infinity, high = withZero ? 0 : -Infinity
    for (const value of values) {
      if (value === null) continue
      if (value < low) low = value
      if (value > high) high = value
    }
    return low > high ? ticksBetween(0, 1) : ticksBetween(low, high)
  }
  const scaleOf = (ticks, from, to) => (value) => from + ((value - ticks[0]) / (ticks[ticks.length - 1] - ticks[0])) * (to - from)

  const drawAxes = (svg, yTicks, y, xName) => {
    for (const tick of yTicks) {
      svg.append(make('line', { x1: left, x2: width - right, y1: y(tick), y2: y(tick), stroke: 'var(--line)' }))
      svg.append(make('text', { x: left - 6, y: y(tick) + 4, 'text-anchor': 'end' }, numberText(tick)))
    }
    svg.append(make('text', { x: (left + width - right) / 2, y: height - 2, 'text-anchor': 'middle' }, short(xName)))
  }
  const titled = (element, text) => {
    element.append(make('title', {}, text))
    return element
  }
  const pointText = (series, label, value) => series.name + ', ' + (label ?? 'NULL') + ': ' + value

  const drawLabels = (svg, labels, x) => {
    const every = Math.ceil(labels.length / 8)
    labels.forEach((label, index) => {
      if (index % every === 0) svg.append(make('text', { x: x(index), y: height - bottom + 16, 'text-anchor': 'middle' }, short(label)))
    })
  }
  const drawBars = (svg, { labels, series }, y) => {
    const band = (width - left - right) / Math.max(labels.length, 1)
    const bar = Math.max((band * 0.8) / series.length, 0.5)
    drawLabels(svg, labels, (index) => left + band * (index + 0.5))
    series.forEach((one, place) => one.values.forEach((value, index) => {
      if (value === null) return
      const from = Math.min(y(value), y(0))
      const attributes = { x: left + band * index + band * 0.1 + bar * place, y: from, width: bar, height: Math.max(Math.abs(y(value) - y(0)), 0.5), fill: colorOf(place) }
      svg.append(titled(make('rect', attributes), pointText(one, labels[index], value)))
    }))
  }
  /** Runs of values without a gap. */
  const runsOf = (values) => {
    const runs = [[]]
    values.forEach((value, index) => (value === null ? runs.push([]) : runs[runs.length - 1].push(index)))
    return runs.filter((run) => run.length > 0)
  }
  const drawLines = (svg, { labels, series, type }, y, x) => {
    series.forEach((one, place) => {
      for (const run of runsOf(one.values)) {
        const points = run.map((index) => x(index) + ',' + y(one.values[index])).join(' ')
        if (type === 'area') {
          const ground = x(run[run.length - 1]) + ',' + y(0) + ' ' + x(run[0]) + ',' + y(0)
          svg.append(make('polygon', { points: points + ' ' + ground, fill: colorOf(place), opacity: 0.25 }))
        }
        if (type !== 'scatter') svg.append(make('polyline', { points, fill: 'none', stroke: colorOf(place), 'stroke-width': 2, 'stroke-linejoin': 'round' }))
        if (type !== 'scatter' && labels.length > 200) continue
        for (const index of run) {
          svg.append(titled(make('circle', { cx: x(index), cy: y(one.values[index]), r: 3, fill: colorOf(place) }), pointText(one, labels[index], one.values[index])))
        }
      }
    })
  }
  const drawCurve = (svg, data, y) => {
    const isNumeric = data.type !== 'area' && data.labels.length > 0 && data.labels.every((label) => typeof label === 'number')
    if (!isNumeric) {
      const step = (width - left - right) / Math.max(data.labels.length, 1)
      const x = (index) => left + step * (index + 0.5)
      drawLabels(svg, data.labels, x)
      return drawLines(svg, data, y, x)
    }
    const ticks = rangeOf(data.labels, false)
    const scale = scaleOf(ticks, left, width - right)
    for (const tick of ticks) svg.append(make('text', { x: scale(tick), y: height - bottom + 16, 'text-anchor': 'middle' }, numberText(tick)))
    drawLines(svg, data, y, (index) => scale(data.labels[index]))
  }
  const drawPie = (svg, { labels, series }) => {
    const values = (series[0]?.values ?? []).map((value) => Math.max(value ?? 0, 0))
    const total = values.reduce((sum, value) => sum + value, 0)
    const cx = width / 2, cy = height / 2, r = height / 2 - 12
    let angle = -Math.PI / 2
    values.forEach((value, index) => {
      if (value === 0) return
      const share = value / total
      const end = angle + share * 2 * Math.PI
      const text = pointText(series[0], labels[index], value) + ' (' + (share * 100).toFixed(1) + ' %)'
      const at = (turn) => (cx + r * Math.cos(turn)) + ' ' + (cy + r * Math.sin(turn))
      const path = 'M' + cx + ' ' + cy + 'L' + at(angle) + 'A' + r + ' ' + r + ' 0 ' + (share > 0.5 ? 1 : 0) + ' 1 ' + at(end) + 'Z'
      const slice = share > 0.9999 ? make('circle', { cx, cy, r, fill: colorOf(index) }) : make('path', { d: path, fill: colorOf(index), stroke: 'Canvas' })
      svg.append(titled(slice, text))
      angle = end
    })
  }
  const legendItem = (text, index) => {
    const item = document.createElement('li')
    item.textContent = text
    item.style.setProperty('--color', colorOf(index))
    return item
  }
  const show = (data) => {
    const { title = '', type = 'bar', x = '', labels = [], series = [], more = false } = data
    const chart = { type, labels, series }
    const svg = make('svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-label': (title || 'Chart') + ': ' + labels.length + ' values of ' + series.map(({ name }) => name).join(', ') })
    if (type === 'pie') drawPie(svg, chart)
    else {
      const ticks = rangeOf(series.flatMap(({ values }) => values), type === 'bar' || type === 'area')
      const y = scaleOf(ticks, height - bottom, top)
      drawAxes(svg, ticks, y, x)
      if (type === 'bar') drawBars(svg, chart, y)
      else drawCurve(svg, chart, y)
    }
    const heading = document.getElementById('title')
    heading.textContent = title
    heading.hidden = title === ''
    document.getElementById('chart').replaceChildren(svg)
    const names = type === 'pie' ? labels.slice(0, 24).map((label) => String(label ?? 'NULL')) : series.map(({ name }) => name)
    document.getElementById('legend').replaceChildren(...names.map(legendItem))
    document.getElementById('state').textContent = labels.length === 0 ? 'The query has no rows.' : more ? 'The first ' + labels.length + ' rows.' : ''
  }
`
