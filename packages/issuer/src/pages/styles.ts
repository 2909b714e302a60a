import { Html } from './html.ts'

/** How pages look: one column, the colours of the system, nothing that has to be loaded. */
export const styles: Html = new Html(`
:root { color-scheme: light dark; --text: #1c2024; --soft: #5b636d; --page: #f4f5f7; --card: #fff; --line: #d8dce1;
  --accent: #1f5fd0; --on-accent: #fff; --warn: #8a4b00; --warn-page: #fff5e5 }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --soft: #a3abb5; --page: #131517; --card: #1c1f23;
  --line: #363b42; --accent: #86b1ff; --on-accent: #0d1524; --warn: #ffc277; --warn-page: #33260f } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px; min-height: 100vh; display: grid; place-items: center; background: var(--page);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { width: 100%; max-width: 464px; padding: 28px; background: var(--card); border: 1px solid var(--line);
  border-radius: 14px }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.25 }
p { margin: 0 0 16px } .soft { color: var(--soft); font-size: 14px }
dl { margin: 20px 0; border-top: 1px solid var(--line) }
dl > div { padding: 12px 0; border-bottom: 1px solid var(--line) }
dt { color: var(--soft); font-size: 13px } dd { margin: 0 }
dd ul { margin: 0; padding: 0; list-style: none } dd li + li { margin-top: 6px }
code { font: 14px ui-monospace, monospace }
.warning { padding: 12px 14px; border-radius: 10px; background: var(--warn-page); color: var(--warn); font-size: 14px }
fieldset { margin: 0 0 20px; padding: 0; border: 0 } legend, label.above { padding: 0; color: var(--soft); font-size: 13px }
.choice { display: flex; gap: 10px; align-items: center; min-height: 36px } input[type=radio] { width: 18px; height: 18px; margin: 0 }
input[type=text] { width: 100%; min-height: 44px; margin: 4px 0 20px; padding: 0 12px; border: 1px solid var(--line);
  border-radius: 10px; background: var(--page); color: inherit; font: 18px ui-monospace, monospace; letter-spacing: 2px }
.buttons { display: flex; gap: 12px } .buttons > * { flex: 1 }
button, a.button { display: block; min-height: 44px; padding: 10px 16px; border: 1px solid var(--soft); border-radius: 10px; background: transparent;
  color: inherit; font: 600 16px/1.4 system-ui, sans-serif; text-align: center; text-decoration: none; cursor: pointer }
button.primary, a.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (max-width: 400px) { body { padding: 0; place-items: start stretch } main { min-height: 100vh; padding: 20px; border: 0; border-radius: 0 } }
`)
