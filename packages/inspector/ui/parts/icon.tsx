import type { JSX } from 'react'

/** The icons of the workbench: lines of one width on a grid of 16 pixels. */
const drawings = {
  start: ['M2.5 7.5 8 3l5.5 4.5', 'M4 6.5v6.5h8V6.5', 'M6.75 13V9.5h2.5V13'],
  tools: [
    'M10.2 2.6a3.4 3.4 0 0 0-3.9 4.6L2.6 10.9a1.5 1.5 0 0 0 2.1 2.1l3.8-3.7a3.4 3.4 0 0 0 4.5-4l-2 2-1.9-.5-.5-1.9z',
  ],
  resources: ['M4 2.5h5l3 3v8H4z', 'M9 2.5v3h3', 'M6 8.5h4M6 11h4'],
  templates: [
    'M5.5 2.5c-1.5 0-1.5 1-1.5 2v1.7C4 7.4 3.3 8 2.5 8c.8 0 1.5.6 1.5 1.8v1.7c0 1 0 2 1.5 2',
    'M10.5 2.5c1.5 0 1.5 1 1.5 2v1.7c0 1.2.7 1.8 1.5 1.8-.8 0-1.5.6-1.5 1.8v1.7c0 1 0 2-1.5 2',
    'M6.8 8h2.4',
  ],
  prompts: ['M2.5 3h11v8H7l-3 2.5V11H2.5z', 'M5 6h6M5 8.3h3.5'],
  playground: ['M8 2.2 9.3 6.7 13.8 8 9.3 9.3 8 13.8 6.7 9.3 2.2 8l4.5-1.3z'],
  evals: ['M2.5 13.5v-11M2.5 13.5h11', 'M5 10.5 7.5 7.5 9.5 9 13 4.5'],
  questions: [
    'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6z',
    'M6.3 6.3a1.7 1.7 0 1 1 2.6 1.5c-.6.4-.9.7-.9 1.4',
    'M8 11.3v.1',
  ],
  tasks: ['M2.5 4 3.5 5l2-2.2M2.5 8.2l1 1 2-2.2M2.5 12.4l1 1 2-2.2', 'M8 4h5.5M8 8.2h5.5M8 12.4h5.5'],
  timeline: ['M2 8h2.5l2-5 3 10 2-5H14'],
  sessions: ['M2.5 3.5h11v9h-11z', 'M5.5 3.5v9M10.5 3.5v9M2.5 6.5h3M2.5 9.5h3M10.5 6.5h3M10.5 9.5h3'],
  saved: ['M4.5 2.5h7v11L8 10.8l-3.5 2.7z'],
  server: ['M2.5 3h11v4.2h-11zM2.5 8.8h11V13h-11z', 'M5 5.1v.1M5 10.9v.1'],
  command: ['M2 3h12v10H2z', 'M4.5 6 6.7 8l-2.2 2M8.5 10.2h3'],
  http: [
    'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6z',
    'M2.3 8h11.4M8 2.2c3.4 3.5 3.4 8.1 0 11.6M8 2.2c-3.4 3.5-3.4 8.1 0 11.6',
  ],
  socket: ['M2 5.5h10.5M10 3l2.5 2.5L10 8', 'M14 10.5H3.5M6 8l-2.5 2.5L6 13'],
  add: ['M8 3v10M3 8h10'],
  close: ['M4 4l8 8M12 4l-8 8'],
  menu: ['M2.5 4.5h11M2.5 8h11M2.5 11.5h11'],
  search: ['M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z', 'M10.4 10.4 13.5 13.5'],
  back: ['M13 8H3.5M7 4 3 8l4 4'],
  forward: ['M6 3.5 10.5 8 6 12.5'],
  system: ['M2 3h12v8H2z', 'M5.5 13.5h5M8 11v2.5'],
  light: [
    'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6z',
    'M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  ],
  dark: ['M13.3 9.6A5.6 5.6 0 0 1 6.4 2.7a5.6 5.6 0 1 0 6.9 6.9z'],
  roomy: ['M2.5 3h11v4h-11zM2.5 9h11v4h-11z'],
  compact: ['M2.5 3.5h11M2.5 6.5h11M2.5 9.5h11M2.5 12.5h11'],
  keys: ['M1.5 4h13v8h-13z', 'M4 6.7v.1M6.7 6.7v.1M9.3 6.7v.1M12 6.7v.1M5 9.5h6'],
  panelBelow: ['M2 2.5h12v11H2z', 'M2 9.5h12'],
  panelBeside: ['M2 2.5h12v11H2z', 'M9.5 2.5v11'],
  log: ['M3 2.5h10v11H3z', 'M5.5 5.5h5M5.5 8h5M5.5 10.5h3'],
  request: ['M2.5 8h10.5M9 4l4 4-4 4'],
  response: ['M13.5 8H3M7 4 3 8l4 4'],
  notification: ['M4 11V7a4 4 0 0 1 8 0v4l1 1.2H3z', 'M6.8 14h2.4'],
  error: ['M8 2.5 14.2 13H1.8z', 'M8 6.5v3M8 11.3v.1'],
  play: ['M5 3v10l8-5z'],
} as const

/** The name of an icon. */
export type IconName = keyof typeof drawings

/** An icon beside its words: it says nothing that they do not. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg className="icon-drawing" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {drawings[name].map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  )
}
