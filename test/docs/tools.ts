/** Commands that the examples of the pages call. */
const TOOLS = ['bash', 'curl', 'jq', 'openssl']

/** Commands of {@link TOOLS} that this machine does not have. */
export const missingExampleTools = TOOLS.filter((name) => Bun.which(name) === null)

export const hasExampleTools = missingExampleTools.length === 0
