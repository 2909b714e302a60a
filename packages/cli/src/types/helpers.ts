/** A function at the end of a generated module, there if a method calls it. */
export interface Helper {
  readonly source: string
  /** Types that it and the methods that call it take from `@tenon/sdk/client`. */
  readonly imports: readonly string[]
}

export const structuredHelper: Helper = {
  imports: ['ToolCallOptions', 'ToolCallResult'],
  source: `async function structured<Output>(
  client: Client,
  tool: string,
  input: unknown,
  options: ToolCallOptions | undefined,
): Promise<Output> {
  const result = await client.callTool<Output>(tool, { ...(input as object) }, options)
  if (result.isError || result.structured === undefined) throw new ToolFailure(tool, result)
  return result.structured
}
`,
}

export const answerHelper: Helper = {
  imports: ['ToolCallOptions', 'ToolCallResult'],
  source: `async function answer(
  client: Client,
  tool: string,
  input: unknown,
  options: ToolCallOptions | undefined,
): Promise<ToolCallResult> {
  const result = await client.callTool(tool, { ...(input as object) }, options)
  if (result.isError) throw new ToolFailure(tool, result)
  return result
}
`,
}

export const failureHelper: Helper = {
  imports: ['ToolCallResult'],
  source: `/** A tool ran and failed: the message is its text. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  readonly tool: string
  readonly result: ToolCallResult

  constructor(tool: string, result: ToolCallResult) {
    super(result.text || \`The tool \${tool} failed\`)
    this.tool = tool
    this.result = result
  }
}
`,
}

export const promptHelper: Helper = {
  imports: ['CallOptions', 'GetPromptResult'],
  source: `const prompt = (
  client: Client,
  name: string,
  args: object | undefined,
  options: CallOptions | undefined,
): Promise<GetPromptResult> => client.getPrompt(name, args as { [name: string]: string }, options)
`,
}

export const readHelper: Helper = {
  imports: ['CallOptions', 'ReadResourceResult'],
  source: `const read = (
  client: Client,
  template: string,
  variables: object | undefined,
  options: CallOptions | undefined,
): Promise<ReadResourceResult> =>
  client.readResource(parseUriTemplate(template).expand({ ...(variables as {}) }), options)
`,
}
