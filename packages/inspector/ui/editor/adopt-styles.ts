import { StyleModule } from 'style-mod'

const adopted = new Map<StyleModule, CSSStyleSheet>()

/**
 * The editor brings rules of its own. The policy of the page forbids `<style>` elements, which would carry them, but not sheets
 * that its own code makes and adopts.
 */
export function adoptEditorStyles(): void {
  StyleModule.mount = (_root, modules) => {
    for (const module of [modules].flat()) {
      if (adopted.has(module)) continue
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(module.getRules())
      adopted.set(module, sheet)
      document.adoptedStyleSheets.push(sheet)
    }
  }
}
