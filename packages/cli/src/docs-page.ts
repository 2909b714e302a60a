/** The address of a page of the documentation, which is not part of the package. */
export const docsPage = (name: string): string => `https://github.com/tenon-mcp/tenon/blob/main/docs/${name}.md`
