import TurndownService from 'turndown'
import { isDataTable, readTable } from './read-tables.ts'
import { tableMarkdown } from './table-markdown.ts'

const service = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  hr: '---',
  emDelimiter: '*',
})
service.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'button'] as never)
service.addRule('table', {
  filter: (node) => node.nodeName === 'TABLE' && isDataTable(node),
  replacement: (_content, node) => `\n\n${tableMarkdown(readTable(node as Element))}\n\n`,
})
service.addRule('strikethrough', {
  filter: ['del', 's'] as never,
  replacement: (content) => `~~${content}~~`,
})
service.addRule('embedded image', {
  filter: (node) => node.nodeName === 'IMG' && /^data:/i.test(node.getAttribute('src') ?? ''),
  replacement: (_content, node) => (node as Element).getAttribute('alt') ?? '',
})

/** An element as Markdown, with tables as GitHub writes them. Images inside of the page's text are left out. */
export const toMarkdown = (element: Element): string => service.turndown(element as HTMLElement)
